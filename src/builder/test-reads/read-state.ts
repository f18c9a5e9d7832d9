/** Events of a test read → what is known of it so far. Pure: an event in, a new state out. */
import type { ApiProblem } from '../../server/wire/problem.ts'
import type { ReadEnd, ReadPage, TestReadEvent } from '../../server/wire/test-read.ts'

type EventOf<Kind extends TestReadEvent['kind']> = Extract<TestReadEvent, { kind: Kind }>

export type ReadSlice = Omit<EventOf<'slice'>, 'kind'>
export type AskedPage = EventOf<'asked'>
export type ReadNotice = EventOf<'notice'>
export type Auxiliary = EventOf<'auxiliary'>
/** A request for a page that no page came of; `slice` and `page` say of which. */
export type Try = { readonly slice: number; readonly page: number; readonly auxiliary: Auxiliary }

export type ReadState = {
  readonly status: 'reading' | 'ended'
  readonly stream: string
  /** The text that was read with: an edit since then makes the pages older than the form. */
  readonly text: string
  /** Names the read to the server; null until it said so. */
  readonly id: string | null
  readonly slices: readonly ReadSlice[]
  /** In the order in which they came. */
  readonly pages: readonly ReadPage[]
  readonly notices: readonly ReadNotice[]
  readonly auxiliaries: readonly Auxiliary[]
  readonly tries: readonly Try[]
  /** The request that is waited for now. */
  readonly asked: AskedPage | null
  /** A wait that the API requested, while it lasts. */
  readonly wait: ReadNotice | null
  /** How long it lasted when the server was last heard, in milliseconds. */
  readonly at: number
  readonly ending: ReadEnd['ending'] | null
  /** The server's last words; null while it reads, and where it was not there to say them. */
  readonly end: ReadEnd | null
  /** What went wrong, with what to do about it. */
  readonly problem: ReadProblem | null
  /** Whether it reads on after a limit. */
  readonly isContinued: boolean
  /** Why the first pages are read again although the next were wanted; null where they were not. */
  readonly startedOver: string | null
  /** One page without pagination, to pick a value from: it shows nothing about the stream. */
  readonly isForPicking: boolean
}

/** `isServerGone`: there is no error message, since the server did not respond. */
export type ReadProblem = Pick<ApiProblem, 'detail' | 'code' | 'hint' | 'at' | 'problems'> & {
  readonly isServerGone: boolean
}

export function newRead(
  stream: string,
  text: string,
  { startedOver = null, isForPicking = false }: Partial<Pick<ReadState, 'startedOver' | 'isForPicking'>> = {},
): ReadState {
  return {
    status: 'reading',
    stream,
    text,
    id: null,
    slices: [],
    pages: [],
    notices: [],
    auxiliaries: [],
    tries: [],
    asked: null,
    wait: null,
    at: 0,
    ending: null,
    end: null,
    problem: null,
    isContinued: false,
    startedOver,
    isForPicking,
  }
}

/** The same read, about to get further pages: no limit ended it. */
export function continuedRead(read: ReadState): ReadState {
  const pages = read.pages.map((page) => (page.stop === 'limit' ? { ...page, stop: null, stopWords: null } : page))
  return { ...read, status: 'reading', pages, ending: null, end: null, isContinued: true, startedOver: null }
}

/** Several at once: a fast API answers more often than a screen is drawn. */
export function afterEvents(before: ReadState, events: readonly TestReadEvent[]): ReadState {
  const { slices, pages, notices, auxiliaries, tries } = before
  const grown = {
    ...before,
    slices: [...slices],
    pages: [...pages],
    notices: [...notices],
    auxiliaries: [...auxiliaries],
    tries: [...tries],
  }
  return events.reduce(afterEvent, grown)
}

type GrowingRead = ReadState & {
  readonly slices: ReadSlice[]
  readonly pages: ReadPage[]
  readonly notices: ReadNotice[]
  readonly auxiliaries: Auxiliary[]
  readonly tries: Try[]
}

function afterEvent(read: GrowingRead, event: TestReadEvent): GrowingRead {
  const at = 'at' in event ? Math.max(read.at, event.at) : read.at
  switch (event.kind) {
    case 'started':
      return { ...read, id: event.id }
    case 'slice':
      read.slices.push({ slice: event.slice, descriptor: event.descriptor })
      return read
    case 'asked':
      return { ...read, at, asked: event, wait: null }
    case 'page':
      read.pages.push(event)
      return { ...read, at: Math.max(at, event.at + event.tookMs), asked: null, wait: null }
    case 'notice':
      read.notices.push(event)
      return { ...read, at, wait: event.waitMs === undefined ? read.wait : event }
    case 'auxiliary':
      if (event.isPage === true) read.tries.push({ ...placeOf(read), auxiliary: event })
      else read.auxiliaries.push(event)
      return { ...read, at: Math.max(at, event.at + event.tookMs) }
    case 'waiting':
      return { ...read, at }
    case 'end':
      return { ...ended(read, event.ending), at, end: event, problem: event.problem && knownProblem(event.problem) }
  }
}

/** The page that is waited for; without one, the one after the last. */
function placeOf({ asked, pages }: ReadState): { slice: number; page: number } {
  if (asked !== null) return { slice: asked.slice, page: asked.page }
  const last = pages.at(-1)
  return last === undefined ? { slice: 0, page: 0 } : { slice: last.slice, page: last.page + 1 }
}

/** The person had enough: what was read stays. */
export function cancelled(read: ReadState): ReadState {
  return ended(read, 'cancelled')
}

/** The read could not be begun, or the server went away in the middle of it. */
export function failedRead(read: ReadState, detail: string, problem: ApiProblem | null): ReadState {
  const unknown = { detail, isServerGone: true }
  return { ...ended(read, 'failed'), problem: problem === null ? unknown : knownProblem(problem) }
}

function ended<Read extends ReadState>(read: Read, ending: ReadEnd['ending']): Read {
  return { ...read, status: 'ended', ending, asked: null, wait: null }
}

function knownProblem(problem: ApiProblem): ReadProblem {
  return { ...problem, isServerGone: false }
}
