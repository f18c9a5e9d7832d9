/** The latest sync of each connector: begun, followed, cancelled, and found again after a reload. */
import type { SyncRequest, SyncRun } from '../../server/wire/sync.ts'
import { AskError, ask, askLines } from '../api/ask.ts'
import { askAgain } from '../api/queries.ts'
import { onReturn } from '../api/reach.ts'
import type { News } from './sync-events.ts'
import { afterNews, afterRun, isUnderWay, newSync, type SyncState } from './sync-state.ts'
import { createStoreByKey } from '../store.ts'
import { messageOf } from '../../std/text/message-of.ts'

/** Often enough to look live, seldom enough that typing comes first. */
const drawnEveryMs = 50

const byConnector = createStoreByKey<SyncState>(drawnEveryMs)

/** Null before the first. */
export function useSyncing(connector: string): SyncState | null {
  return byConnector.use(connector, (sync) => sync ?? null)
}

/** Ends when the sync does, and never throws. */
export async function startSync(request: SyncRequest): Promise<void> {
  const { connector } = request
  const before = byConnector.get(connector)
  if (before !== undefined && isUnderWay(before)) return
  byConnector.set(connector, newSync)
  try {
    await follow(await ask<SyncRun>('POST', '/v1/syncs', { body: request }))
  } catch (error) {
    const problem = error instanceof AskError ? error.problem : null
    const detail = messageOf(error)
    byConnector.set(connector, { ...newSync, status: 'refused', problem: { ...problem, detail } })
  }
}

/** What was read is committed first; the next sync resumes from there. */
export async function cancelSync(connector: string): Promise<void> {
  const sync = byConnector.get(connector)
  if (sync?.run == null || sync.status !== 'running') return
  byConnector.set(connector, { ...sync, status: 'stopping' })
  // The event stream reports how it ended.
  await ask('DELETE', `/v1/syncs/${sync.run.id}`).catch(() => {})
}

/** What the server runs or ran for the connector, where this tab does not know of it: also one of another tab or a schedule. */
export async function findSync(connector: string): Promise<void> {
  const known = byConnector.get(connector)
  if (known !== undefined && isUnderWay(known)) return
  const run = (await listed()).find((one) => one.connector === connector)
  if (run === undefined || byConnector.get(connector) !== known) return
  if (known === undefined || known.status === 'lost' || run.id !== known.run?.id) await follow(run)
}

async function follow(run: SyncRun): Promise<void> {
  const { connector, id } = run
  byConnector.set(connector, { ...newSync, run, status: 'running' })
  try {
    for await (const news of askLines<News>('GET', `/v1/syncs/${id}/events`)) {
      byConnector.set(connector, afterNews(byConnector.get(connector) ?? newSync, news, Date.now()))
    }
    const ended = (await listed()).find((one) => one.id === id)
    if (ended === undefined) throw new AskError('The server no longer knows the sync.', null)
    byConnector.set(connector, afterRun(byConnector.get(connector) ?? newSync, ended))
  } catch {
    byConnector.set(connector, { ...(byConnector.get(connector) ?? newSync), status: 'lost' })
    const forget = onReturn(() => {
      forget()
      void findSync(connector).catch(() => {})
    })
  }
  void askAgain(['tables'])
  void askAgain(['held', connector])
  void askAgain(['runs', connector])
}

async function listed(): Promise<readonly SyncRun[]> {
  return (await ask<{ syncs: readonly SyncRun[] }>('GET', '/v1/syncs')).syncs
}
