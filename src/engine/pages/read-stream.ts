/** One stream → its pages, slices side by side. */
import { ConnectorError, errorScope } from '../../std/errors.ts'
import { eachUntilAborted } from '../response/until-aborted.ts'
import type { Slice } from '../slices/slice.ts'
import { openSignal } from './open-signal.ts'
import type { ReadOptions } from './read-pages.ts'
import { readSlicePages, type ResumeFrom, resumeSlice, type SlicePage } from './read-slice.ts'
import { sideBySide } from './side-by-side.ts'
import type { OpenStream } from './stream.ts'
import { messageOf } from '../../std/text/message-of.ts'

/** What to do with a slice: read it, skip it, or resume from a token of an earlier read. */
export type SliceChoice = 'read' | 'skip' | ResumeFrom

type StreamReadOptions = Omit<ReadOptions, 'from'> & {
  /** Which slices to read; all when absent. Called as each is generated. */
  readonly choose?: (slice: Slice) => SliceChoice
  /** How many slices side by side; as the manifest says when absent. A function is given that whenever one may start. */
  readonly concurrency?: number | ((width: number) => number) | undefined
  /** A slice that fails does not end the others; its error is thrown after they were read. */
  readonly outlivesFailures?: boolean
}

/** After this many failed slices in a row the API is taken to be down. */
const mostFailures = 10

export async function* readStream(stream: OpenStream, options: StreamReadOptions = {}): AsyncGenerator<SlicePage> {
  const { choose, concurrency = stream.width, outlivesFailures = false, ...others } = options
  // Stopping the loop cancels every slice, and the parents they come from.
  const { signal, cancel } = openSignal(options.signal)
  const slices = eachUntilAborted(stream.slices({ prefetch: options.prefetch, signal }), signal)
  const chosen = choosing(slices, choose)
  let failures = 0
  const read = async function* ({ slice, choice }: Chosen): AsyncGenerator<SlicePage> {
    const reading = { ...others, signal }
    if (choice === 'read') for await (const page of readSlicePages(stream, slice, reading)) yield { slice, page }
    else yield* resumeSlice(stream, slice, { ...reading, ...choice })
    failures = 0
  }
  const afterFailure = (error: unknown) => {
    if (!outlivesFailures || !isCut(stream) || signal.aborted || concernsAll(error)) return 'end'
    if (++failures >= mostFailures) return 'end'
    stream.warn(`A slice failed; the others are still read: ${messageOf(error)}`)
    return 'continue'
  }
  const width = typeof concurrency === 'number' ? () => concurrency : () => concurrency(stream.width)
  yield* sideBySide(chosen, width, read, { afterFailure, cancel })
}

/** Whether there may be other slices to read. */
function isCut({ plan: { slicing } }: OpenStream): boolean {
  return slicing.routers.length > 0 || slicing.cursor !== null
}

function concernsAll(error: unknown): boolean {
  return error instanceof ConnectorError && errorScope(error.code) === 'connector'
}

type Chosen = { readonly slice: Slice; readonly choice: Exclude<SliceChoice, 'skip'> }

async function* choosing(
  slices: AsyncIterable<Slice>,
  choose: StreamReadOptions['choose'] = () => 'read',
): AsyncGenerator<Chosen> {
  for await (const slice of slices) {
    const choice = choose(slice)
    if (choice !== 'skip') yield { slice, choice }
  }
}
