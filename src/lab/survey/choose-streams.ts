/** The streams of a manifest → those worth a survey: one for each way in which pages are turned. */
import type { LoadedManifest } from '../../connector/load-manifest.ts'
import type { Component } from '../../engine/manifest/manifest.ts'
import { unknownStream } from '../../engine/plan/stream.ts'
import type { ResolvedStream } from '../../engine/streams/resolve-streams.ts'
import { asComponent } from '../mirror/components.ts'
import type { Skipped } from './result.ts'

const mostStreams = 10

export type Choice = { readonly chosen: readonly ResolvedStream[]; readonly skipped: readonly Skipped[] }

export function chooseStreams(
  manifest: LoadedManifest,
  streams: readonly ResolvedStream[],
  names: readonly string[] | undefined,
): Choice {
  if (names !== undefined) return { chosen: streamsNamed(manifest, streams, names), skipped: [] }
  const firsts = new Map<string, ResolvedStream>()
  const skipped: Skipped[] = []
  const turnsPages = streams.some(({ stream }) => ![onePage, jobs].includes(wayOf(stream)))
  for (const one of streams) {
    const way = wayOf(one.stream)
    const first = firsts.get(way)
    if (way === jobs) skipped.push({ stream: one.name, why: 'asks for jobs, not for pages' })
    else if (way === onePage && turnsPages) skipped.push({ stream: one.name, why: 'reads one page' })
    else if (first !== undefined) skipped.push({ stream: one.name, why: `turns its pages as ${first.name} does` })
    else if (firsts.size >= mostStreams) skipped.push({ stream: one.name, why: `${mostStreams} others come first` })
    else firsts.set(way, one)
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

/** Streams with equal ways ask for their pages alike. */
function wayOf(stream: Component): string {
  const retriever = retrieverOf(stream)
  if (retriever === null || retriever.type === 'AsyncRetriever') return jobs
  const paginator = asComponent(retriever.paginator)
  if (paginator === null || paginator.type === 'NoPagination') return onePage
  const decoder = asComponent(retriever.decoder)
  return JSON.stringify([paginator, decoder?.type], (name, value: unknown) =>
    name === '$parameters' ? undefined : value,
  )
}
