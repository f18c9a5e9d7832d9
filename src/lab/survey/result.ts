/** What a survey finds: per stream and fault, whether the manifest survives it. Plain JSON, without secrets. */
import type { LoadedManifest } from '../../connector/load-manifest.ts'
import type { Component } from '../../engine/manifest/manifest.ts'
import { unknownStream } from '../../engine/plan/stream.ts'
import type { ResolvedStream } from '../../engine/streams/resolve-streams.ts'
import { asComponent } from '../mirror/find-components.ts'
import type { Judgement } from '../../proof/verdict/verdict.ts'

/**
 * `survives`: every record arrived once, and the receipt reports nothing wrong.
 * `reports`: the read failed, or the receipt reports that something is wrong.
 * `misses`: records are missing or duplicated, and nothing reports it.
 * `does not apply`: the fault makes no sense for the pagination of this stream.
 */
export type FaultOutcome = 'survives' | 'reports' | 'misses' | 'does not apply'

export type SurveyResult = {
  readonly stream: string
  /** By its name in the lab: `capped-size`. */
  readonly fault: string
  /** What the API does: `sends an empty page 3`. */
  readonly does: string
  readonly outcome: FaultOutcome
  /** One sentence: what happened, or why the fault does not apply. */
  readonly says: string
  /** Records that the API had when the read began. */
  readonly expected: number
  /** Of these, how many were not read. */
  readonly missing: number
  /** Records that were read again. */
  readonly doubled: number
  readonly requests: number
  /** Of the receipt; null where the read failed. */
  readonly verdict: Judgement | null
  /** Why the read failed; null where it did not. */
  readonly error: { readonly code: string; readonly message: string; readonly hint: string } | null
  /** For `misses`: the outcome if the API had a total. Null otherwise. */
  readonly ifCounted: FaultOutcome | null
}

/** A stream that cannot be surveyed, and why; or that was left out since others have the same pagination. */
export type Skipped = { readonly stream: string; readonly why: string }

export type Survey = {
  readonly results: readonly SurveyResult[]
  readonly skipped: readonly Skipped[]
}

export type SurveyOptions = {
  /** The streams to read; when absent, the first few with different pagination. */
  readonly streams?: readonly string[]
  /** Missing values are generated: no real API is called. */
  readonly config?: Readonly<Record<string, unknown>>
  /** The manifest's name in errors. */
  readonly file?: string
  /** The folder of the connector's custom classes. */
  readonly folder?: string
  /** Names of faults; every fault of the lab when absent. */
  readonly faults?: readonly string[]
  readonly signal?: AbortSignal
  /** Called with each result as it arrives. */
  readonly onResult?: (result: SurveyResult) => void
  readonly onSkipped?: (skipped: Skipped) => void
}

const mostStreams = 10

export type SurveyedStreams = { readonly chosen: readonly ResolvedStream[]; readonly skipped: readonly Skipped[] }

export function chooseStreams(
  manifest: LoadedManifest,
  streams: readonly ResolvedStream[],
  names: readonly string[] | undefined,
): SurveyedStreams {
  if (names !== undefined) return { chosen: streamsNamed(manifest, streams, names), skipped: [] }
  const firsts = new Map<string, ResolvedStream>()
  const skipped: Skipped[] = []
  const isPaginated = streams.some(({ stream }) => ![onePage, jobs].includes(paginationKey(stream)))
  for (const one of streams) {
    const key = paginationKey(one.stream)
    const first = firsts.get(key)
    if (key === jobs) skipped.push({ stream: one.name, why: 'creates jobs, and requests no pages' })
    else if (key === onePage && isPaginated) skipped.push({ stream: one.name, why: 'reads one page' })
    else if (first !== undefined) skipped.push({ stream: one.name, why: `paginates as ${first.name} does` })
    else if (firsts.size >= mostStreams) skipped.push({ stream: one.name, why: `${mostStreams} others come first` })
    else firsts.set(key, one)
  }
  return { chosen: [...firsts.values()], skipped }
}

function streamsNamed(
  manifest: LoadedManifest,
  streams: readonly ResolvedStream[],
  names: readonly string[],
): ResolvedStream[] {
  return [...new Set(names)].map((name) => {
    const known = streams.map((one) => one.name)
    const found = streams.find((one) => one.name === name)
    if (found === undefined) throw unknownStream(manifest, name, known)
    return found
  })
}

/** The retriever that a first read uses. */
export function retrieverOf(stream: Component): Component | null {
  const first = stream.type === 'StateDelegatingStream' ? asComponent(stream.full_refresh_stream) : stream
  return asComponent(first?.retriever)
}

const onePage = 'one page'
const jobs = 'jobs'

/** Equal for streams that request their pages in the same way. */
function paginationKey(stream: Component): string {
  const retriever = retrieverOf(stream)
  if (retriever === null || retriever.type === 'AsyncRetriever') return jobs
  const paginator = asComponent(retriever.paginator)
  if (paginator === null || paginator.type === 'NoPagination') return onePage
  const decoder = asComponent(retriever.decoder)
  return JSON.stringify([paginator, decoder?.type], (name, value: unknown) =>
    name === '$parameters' ? undefined : value,
  )
}
