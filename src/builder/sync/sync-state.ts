/** News of a sync → what is known of it so far. Pure: news in, a new state out. */
import type { ApiProblem } from '../../server/wire/problem.ts'
import type { SyncRun } from '../../server/wire/sync.ts'
import type { News, SyncReceipt, SyncNotice } from './sync-events.ts'

export type SyncState = {
  /** `stopping`: cancelled, and what was read is being committed. `lost`: the server went away in the middle. */
  readonly status: 'starting' | 'stopping' | 'lost' | 'refused' | SyncRun['status']
  /** Null until the server took it. */
  readonly run: SyncRun | null
  /** It resumes an interrupted sync. */
  readonly continues: boolean
  /** By name, in the order in which they are read. */
  readonly streams: ReadonlyMap<string, StreamStanding>
  /** Why it could not begin, or not continue. */
  readonly problem: SyncProblem | null
}

export type SyncProblem = Pick<ApiProblem, 'detail' | 'code' | 'hint' | 'at' | 'problems'>

export type StreamStanding = {
  readonly name: string
  readonly isBegun: boolean
  readonly pages: number
  readonly records: number
  /** What earlier runs of the same read had. */
  readonly before: number
  /** How many records there are, where the API says so. */
  readonly total: number | null
  /** The first count that was heard here, and when: what came since then makes the rate. */
  readonly heard: { readonly at: number; readonly records: number } | null
  readonly wait: { readonly until: number; readonly words: string } | null
  /** What the API says of the job it works on. */
  readonly job: string | null
  readonly receipt: SyncReceipt | null
}

export const newSync: SyncState = {
  status: 'starting',
  run: null,
  continues: false,
  streams: new Map(),
  problem: null,
}

export function isUnderWay({ status }: SyncState): boolean {
  return status === 'starting' || status === 'running' || status === 'stopping'
}

/** @param now when the news was heard, in milliseconds. */
export function afterNews(sync: SyncState, news: News, now: number): SyncState {
  switch (news.kind) {
    case 'run-started':
      return {
        ...sync,
        continues: news.continues,
        streams: new Map(news.streams.map((name) => [name, standing(sync, name)])),
      }
    case 'stream-started': {
      const { pages, records } = news.before
      return withStream(sync, news.stream, { isBegun: true, pages, records, before: records })
    }
    case 'progress': {
      const { pages, records, total } = news
      const heard = standing(sync, news.stream).heard ?? { at: now, records }
      return withStream(sync, news.stream, { isBegun: true, pages, records, total, heard, wait: null, job: null })
    }
    case 'notice':
      return withStream(sync, news.stream, waitOf(news.notice, now))
    case 'stream-ended':
    case 'stream-skipped': {
      const { receipt } = news
      const { pages, records } = receipt
      return withStream(sync, receipt.stream, { isBegun: true, pages, records, receipt, wait: null, job: null })
    }
    // How it ended is the server's to say, once it has written it down: `afterRun`.
    case 'run-ended':
    case 'slice-ended':
    case 'committed':
    case 'waiting':
      return sync
  }
}

/** It is over: how, and what went wrong with the whole of it. */
export function afterRun(sync: SyncState, run: SyncRun): SyncState {
  return { ...sync, run, status: run.status, problem: run.problem }
}

function withStream(sync: SyncState, name: string, changed: Partial<StreamStanding>): SyncState {
  const streams = new Map(sync.streams)
  streams.set(name, { ...standing(sync, name), ...changed })
  return { ...sync, streams }
}

function standing({ streams }: SyncState, name: string): StreamStanding {
  return streams.get(name) ?? { ...unread, name }
}

const unread: StreamStanding = {
  name: '',
  isBegun: false,
  pages: 0,
  records: 0,
  before: 0,
  total: null,
  heard: null,
  wait: null,
  job: null,
  receipt: null,
}

/** A budget makes nearly every request wait a little; that is no news. */
const shortMs = 1000

function waitOf({ kind, waitMs = 0, reason = '', isRateLimited, state }: SyncNotice, now: number) {
  if (kind === 'job') return { job: state === 'running' ? reason : null }
  if (kind === 'budget' && waitMs >= shortMs) {
    return { wait: { until: now + waitMs, words: 'waiting for the rate limit of the manifest' } }
  }
  if (kind !== 'retry') return {}
  return { wait: { until: now + waitMs, words: isRateLimited === true ? 'waiting for rate limit' : reason } }
}
