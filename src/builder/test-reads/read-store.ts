/** The latest test read of each stream: begun, followed event by event, cancelled, looked at page by page. */
import type { ReadPage, TestReadEvent, TestReadRequest } from '../../server/wire/test-read.ts'
import { AskError, askLines } from '../api/ask.ts'
import { useSession } from '../session/use-session.tsx'
import { stringifyJson } from '../../std/json.ts'
import { type EarlierTest, withEarlier } from './compare/earlier-tests.ts'
import { afterEvents, cancelled, continuedRead, failedRead, newRead, type ReadState } from './read-state.ts'
import { createStoreByKey } from '../store.ts'
import { useTestedStream } from './tested-stream.ts'
import { messageOf } from '../../std/text/message-of.ts'

/** `slice` and `page` as the server counts them, from 0. */
export type PagePlace = { readonly slice: number; readonly page: number }

type Reading = {
  readonly read: ReadState
  readonly begunAt: number
  readonly selected: PagePlace | null
  readonly request: Asked
  /** Tests of the stream before this one, the latest first. */
  readonly earlier: readonly EarlierTest[]
}

type Asked = Omit<TestReadRequest, 'connector'>

/** Often enough to look live, seldom enough that typing comes first. */
const drawnEveryMs = 50

/** As many as the server keeps the pages of. */
const mostReads = 20

const none: readonly EarlierTest[] = []

const byStream = createStoreByKey<Reading>()
/** The stream that was read last is the last. */
const kept = new Set<string>()
const hangUps = new Map<string, AbortController>()

/** Names the reads of one stream of one connector. */
export function readKey(connector: string, stream: string | null): string {
  return JSON.stringify([connector, stream])
}

/** Of the stream that the test panel is about. */
export function useReadKey(): string {
  const name = useSession((session) => session.name)
  return readKey(name, useTestedStream())
}

/** The latest read of the tested stream; null before the first. */
export function useReading(): ReadState | null {
  return byStream.use(useReadKey(), (reading) => reading?.read ?? null)
}

/** When the read began by this machine's clock, for what counts while one waits. */
export function useBegunAt(): number {
  return byStream.use(useReadKey(), (reading) => reading?.begunAt ?? 0)
}

/** Whether a page was chosen since the read began. */
export function useIsPageChosen(): boolean {
  return byStream.use(useReadKey(), (reading) => reading?.selected != null)
}

/** The page that is shown: the one chosen, else the first, or the last of a read that failed; null while there is none. */
export function useSelectedPage(): ReadPage | null {
  return byStream.use(useReadKey(), selectedPage)
}

export function selectPage(key: string, selected: PagePlace | null): void {
  const reading = byStream.get(key)
  if (reading !== undefined) byStream.set(key, { ...reading, selected })
}

/** Tests of the stream before the latest, the latest of them first. */
export function useEarlierTests(): readonly EarlierTest[] {
  return byStream.use(useReadKey(), (reading) => reading?.earlier ?? none)
}

/**
 * Starts a new read; one of the same stream that is still running is cancelled. Resolves when the read ends, and never throws.
 * @param why it starts over, where it was to continue; or that it is not about the stream
 */
export async function startReading(
  connector: string,
  request: Asked,
  why: Partial<Pick<ReadState, 'startedOver' | 'isForPicking'>> = {},
): Promise<void> {
  const key = readKey(connector, request.stream)
  cancelReading(key)
  keepOnly(key)
  const before = byStream.get(key)
  byStream.set(key, {
    read: newRead(request.stream, request.text, why),
    begunAt: Date.now(),
    selected: null,
    request,
    earlier: before === undefined ? [] : withEarlier(before.earlier, before.read, before.begunAt),
  })
  await followRead(key, '/v1/test-reads', { ...request, connector })
}

/** Reads the pages after the last; starts over where the text or the inputs changed, or the server lost the first pages. */
export async function continueReading(connector: string, request: Asked): Promise<void> {
  const key = readKey(connector, request.stream)
  const reading = byStream.get(key)
  if (reading?.read.end?.canContinue !== true) return
  const { read, request: before } = reading
  if (request.text !== before.text)
    return startReading(connector, request, { startedOver: 'edited since, so it started over' })
  if (stringifyJson(request.config) !== stringifyJson(before.config)) {
    return startReading(connector, request, { startedOver: 'inputs changed, so it started over' })
  }
  keepOnly(key)
  byStream.set(key, { ...reading, read: continuedRead(read), begunAt: Date.now() - read.at })
  const { maxPages, maxSlices, maxRecords } = request
  const path = `/v1/test-reads/${encodeURIComponent(read.id ?? '')}/more`
  await followRead(key, path, { maxPages, maxSlices, maxRecords }, (error) => {
    if (error.problem?.code !== 'server/gone') return false
    void startReading(connector, request, { startedOver: 'the first pages are no longer kept, so it started over' })
    return true
  })
}

/** @param onRefused returns whether it dealt with a request that the server refused */
async function followRead(
  key: string,
  path: string,
  body: object,
  onRefused: (error: AskError) => boolean = () => false,
): Promise<void> {
  const hangUp = new AbortController()
  hangUps.set(key, hangUp)
  const gathered = gatherEvents(key, hangUp.signal)
  try {
    for await (const event of askLines<TestReadEvent>('POST', path, { body, signal: hangUp.signal })) {
      gathered.add(event)
    }
    gathered.draw()
    endUnlessEnded(key, hangUp, new AskError('The server ended the read without a reason.', null))
  } catch (error) {
    gathered.draw()
    if (!hangUp.signal.aborted && error instanceof AskError && onRefused(error)) return
    endUnlessEnded(key, hangUp, error)
  }
}

/** The oldest read makes room for a new one. */
function keepOnly(newest: string): void {
  kept.delete(newest)
  kept.add(newest)
  const [oldest] = kept
  if (kept.size <= mostReads || oldest === undefined) return
  cancelReading(oldest)
  kept.delete(oldest)
  byStream.delete(oldest)
}

/** Hanging up is what the server takes for "cancel"; the pages read so far stay. */
export function cancelReading(key: string): void {
  hangUps.get(key)?.abort()
  hangUps.delete(key)
  const reading = byStream.get(key)
  if (reading?.read.status === 'reading') byStream.set(key, { ...reading, read: cancelled(reading.read) })
}

/** Events of one read, shown together a few times a second; those of a read that was cancelled are dropped. */
function gatherEvents(key: string, signal: AbortSignal) {
  let gathered: TestReadEvent[] = []
  let timer: ReturnType<typeof setTimeout> | null = null
  function draw(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const reading = byStream.get(key)
    if (signal.aborted || reading === undefined || gathered.length === 0) return
    const events = gathered
    gathered = []
    byStream.set(key, { ...reading, read: afterEvents(reading.read, events) })
  }
  return {
    draw,
    add(event: TestReadEvent) {
      gathered.push(event)
      timer ??= setTimeout(draw, drawnEveryMs)
    },
  }
}

function endUnlessEnded(key: string, hangUp: AbortController, error: unknown): void {
  const reading = byStream.get(key)
  if (hangUp.signal.aborted || reading?.read.status !== 'reading') return
  const problem = error instanceof AskError ? error.problem : null
  const words = messageOf(error)
  byStream.set(key, { ...reading, read: failedRead(reading.read, words, problem) })
}

function selectedPage(reading: Reading | undefined): ReadPage | null {
  if (reading === undefined) return null
  const { read, selected } = reading
  const chosen = selected && read.pages.find(({ slice, page }) => slice === selected.slice && page === selected.page)
  return chosen ?? (read.ending === 'failed' ? read.pages.at(-1) : read.pages[0]) ?? null
}
