/** The latest sync of each connector: begun, followed, cancelled, and found again after a reload. */
import { useSyncExternalStore } from 'react'
import type { SyncRequest, SyncRun } from '../../server/wire/sync.ts'
import { AskError, ask, askLines } from '../api/ask.ts'
import { askAgain } from '../api/queries.ts'
import { onReturn } from '../api/reach.ts'
import type { News } from './sync-news.ts'
import { afterNews, afterRun, isUnderWay, newSync, type SyncState } from './sync-state.ts'
import { openListeners } from '../listeners.ts'

/** Often enough to look live, seldom enough that typing comes first. */
const drawnEveryMs = 50

const byConnector = new Map<string, SyncState>()
const { subscribe, tell } = openListeners()
let drawing: ReturnType<typeof setTimeout> | null = null

/** Null before the first. */
export function useSyncing(connector: string): SyncState | null {
  return useSyncExternalStore(subscribe, () => byConnector.get(connector) ?? null)
}

/** Ends when the sync does, and never throws. */
export async function startSync(request: SyncRequest): Promise<void> {
  const { connector } = request
  const before = byConnector.get(connector)
  if (before !== undefined && isUnderWay(before)) return
  change(connector, newSync)
  try {
    await follow(await ask<SyncRun>('POST', '/v1/syncs', { body: request }))
  } catch (error) {
    const problem = error instanceof AskError ? error.problem : null
    const detail = error instanceof Error ? error.message : String(error)
    change(connector, { ...newSync, status: 'refused', problem: { ...problem, detail } })
  }
}

/** What was read is committed first; the next sync goes on from there. */
export async function cancelSync(connector: string): Promise<void> {
  const sync = byConnector.get(connector)
  if (sync?.run == null || sync.status !== 'running') return
  change(connector, { ...sync, status: 'stopping' })
  // Whoever follows it hears how it ended.
  await ask('DELETE', `/v1/syncs/${sync.run.id}`).catch(() => {})
}

/** What the server runs or ran for the connector, where this tab does not know of it. */
export async function findSync(connector: string): Promise<void> {
  const known = byConnector.get(connector)
  if (known !== undefined && known.status !== 'lost') return
  const run = (await listed()).find((one) => one.connector === connector)
  if (run !== undefined && byConnector.get(connector) === known) await follow(run)
}

async function follow(run: SyncRun): Promise<void> {
  const { connector, id } = run
  change(connector, { ...newSync, run, status: 'running' })
  try {
    for await (const news of askLines<News>('GET', `/v1/syncs/${id}/events`)) {
      change(connector, afterNews(byConnector.get(connector) ?? newSync, news, Date.now()))
    }
    const ended = (await listed()).find((one) => one.id === id)
    if (ended === undefined) throw new AskError('The server does not know the sync any more.', null)
    change(connector, afterRun(byConnector.get(connector) ?? newSync, ended))
  } catch {
    change(connector, { ...(byConnector.get(connector) ?? newSync), status: 'lost' })
    const forget = onReturn(() => {
      forget()
      void findSync(connector).catch(() => {})
    })
  }
  void askAgain(['tables'])
  void askAgain(['held', connector])
}

async function listed(): Promise<readonly SyncRun[]> {
  return (await ask<{ syncs: readonly SyncRun[] }>('GET', '/v1/syncs')).syncs
}

function change(connector: string, sync: SyncState): void {
  byConnector.set(connector, sync)
  drawing ??= setTimeout(() => {
    drawing = null
    tell()
  }, drawnEveryMs)
}
