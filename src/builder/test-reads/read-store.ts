/** The latest test read of each connector: begun, followed event by event, cancelled, looked at page by page. */
import type { ReadPage, TestReadEvent, TestReadRequest } from '../../server/wire/test-read.ts'
import { AskError, askLines } from '../api/ask.ts'
import { useSession } from '../session/use-session.tsx'
import { afterEvents, cancelled, failedRead, newRead, type ReadState } from './read-state.ts'
import { createStoreByKey } from '../store.ts'

/** `slice` and `page` as the server counts them, from 0. */
export type PagePlace = { readonly slice: number; readonly page: number }

type Reading = { readonly read: ReadState; readonly begunAt: number; readonly selected: PagePlace | null }

/** Often enough to look live, seldom enough that typing comes first. */
const drawnEveryMs = 50

const byConnector = createStoreByKey<Reading>()
const hangUps = new Map<string, AbortController>()

/** The latest read of the open connector; null before the first. */
export function useReading(): ReadState | null {
  const name = useSession((session) => session.name)
  return byConnector.use(name, (reading) => reading?.read ?? null)
}

/** When the read began by this machine's clock, for what counts while one waits. */
export function useBegunAt(): number {
  const name = useSession((session) => session.name)
  return byConnector.use(name, (reading) => reading?.begunAt ?? 0)
}

/** The page that is looked at: the one chosen, else the first; null while there is none. */
export function useSelectedPage(): ReadPage | null {
  const name = useSession((session) => session.name)
  return byConnector.use(name, selectedPage)
}

export function selectPage(connector: string, selected: PagePlace | null): void {
  const reading = byConnector.get(connector)
  if (reading !== undefined) byConnector.set(connector, { ...reading, selected })
}

/** Starts a new read; one that is still running is cancelled. Resolves when the read ends, and never throws. */
export async function startReading(connector: string, request: Omit<TestReadRequest, 'connector'>): Promise<void> {
  cancelReading(connector)
  const hangUp = new AbortController()
  hangUps.set(connector, hangUp)
  byConnector.set(connector, { read: newRead(request.stream, request.text), begunAt: Date.now(), selected: null })
  const body = { ...request, connector }
  const gathered = gatherEvents(connector, hangUp.signal)
  try {
    for await (const event of askLines<TestReadEvent>('POST', '/v1/test-reads', { body, signal: hangUp.signal })) {
      gathered.add(event)
    }
    gathered.draw()
    endUnlessEnded(connector, hangUp, new AskError('The server ended the read without a reason.', null))
  } catch (error) {
    gathered.draw()
    endUnlessEnded(connector, hangUp, error)
  }
}

/** Hanging up is what the server takes for "cancel"; the pages read so far stay. */
export function cancelReading(connector: string): void {
  hangUps.get(connector)?.abort()
  hangUps.delete(connector)
  const reading = byConnector.get(connector)
  if (reading?.read.status === 'reading') byConnector.set(connector, { ...reading, read: cancelled(reading.read) })
}

/** Events of one read, shown together a few times a second; those of a read that was cancelled are dropped. */
function gatherEvents(connector: string, signal: AbortSignal) {
  let gathered: TestReadEvent[] = []
  let timer: ReturnType<typeof setTimeout> | null = null
  function draw(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const reading = byConnector.get(connector)
    if (signal.aborted || reading === undefined || gathered.length === 0) return
    const events = gathered
    gathered = []
    byConnector.set(connector, { ...reading, read: afterEvents(reading.read, events) })
  }
  return {
    draw,
    add(event: TestReadEvent) {
      gathered.push(event)
      timer ??= setTimeout(draw, drawnEveryMs)
    },
  }
}

function endUnlessEnded(connector: string, hangUp: AbortController, error: unknown): void {
  const reading = byConnector.get(connector)
  if (hangUp.signal.aborted || reading?.read.status !== 'reading') return
  const problem = error instanceof AskError ? error.problem : null
  const words = error instanceof Error ? error.message : String(error)
  byConnector.set(connector, { ...reading, read: failedRead(reading.read, words, problem) })
}

function selectedPage(reading: Reading | undefined): ReadPage | null {
  if (reading === undefined) return null
  const { read, selected } = reading
  const chosen = selected && read.pages.find(({ slice, page }) => slice === selected.slice && page === selected.page)
  return chosen ?? read.pages[0] ?? null
}
