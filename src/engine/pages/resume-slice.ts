/** One slice from a token that an earlier read came to; from its first page where the API no longer knows the token. */
import type { PageToken } from '../request/page-token.ts'
import type { Slice } from '../slices/slice.ts'
import type { ReadOptions } from './read-options.ts'
import { readSlicePages } from './read-slice.ts'
import type { SlicePage } from './read-stream.ts'
import type { OpenStream } from './stream.ts'
import { mayReset } from './track-reset.ts'

export type ResumeOptions = Omit<ReadOptions, 'from'> & {
  readonly from: PageToken
  /** The reader can take back what it has of the slice. */
  readonly mayStartOver?: boolean
}

/** Whether a slice can go on from one of its pages: jobs, a connector's own retriever and resets know no such place. */
export function mayGoOn({ plan, job, retriever }: OpenStream): boolean {
  return job === null && retriever === null && !mayReset(plan)
}

/**
 * APIs answer an expired cursor with an error, or with one that the manifest ignores. Whether the token is the reason
 * shows when the first page is asked for: if that fails too, the token was not, and its failure is the one to report.
 */
export async function* resumeSlice(
  stream: OpenStream,
  slice: Slice,
  { mayStartOver = false, ...options }: ResumeOptions,
): AsyncGenerator<SlicePage> {
  let isFirst = true
  let failure: unknown = null
  try {
    for await (const page of readSlicePages(stream, slice, options)) {
      if (isFirst && mayStartOver && page.stop === 'ignored') break
      isFirst = false
      yield { slice, page }
    }
    if (!isFirst) return
  } catch (error) {
    if (!isFirst || !mayStartOver || !isRefusal(error)) throw error
    failure = error
  }
  stream.warn('The API no longer knows the page to go on from: the slice starts over.')
  const fromStart = { ...options, from: null }
  try {
    for await (const page of readSlicePages(stream, slice, fromStart)) {
      yield isFirst ? { slice, page, startsOver: true } : { slice, page }
      isFirst = false
    }
  } catch (error) {
    throw isFirst && failure !== null ? failure : error
  }
}

/** An answer that says no. Silence, a time limit and a server in trouble say nothing about the token. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === 'response/rejected' || code === 'response/not-decodable'
}
