/** An AsyncRetriever → the endpoints of its jobs: they are created, polled until they are done, and fetched. */
import type { Component } from '../../engine/manifest/manifest.ts'
import { fitOf } from './match-request.ts'
import type { MirrorResponse, MirrorRequest } from './mirror-request.ts'
import { type TimeRange, wholeTime } from './calendar.ts'
import { asComponent, componentsAt, textField, textsIn } from './find-components.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { parametersOf } from '../../engine/plan/read-fields.ts'
import { encoded } from './encode.ts'
import type { Endpoint, Role } from './endpoint.ts'
import { textOr } from './evaluate-at-fixed-time.ts'
import { leavesOf } from './field-sources.ts'
import { listEndpoint } from './list-endpoint.ts'
import { type MirrorPath, putValue } from './put-value.ts'
import { readsOf } from './template-reads.ts'
import { windowIn } from './cursor.ts'

/** `stream` is the one that has this retriever. */
export function jobEndpoints(stream: Component, config: Config): Endpoint[] {
  const retriever = asComponent(stream.retriever)
  if (retriever?.type !== 'AsyncRetriever') return []
  const jobs = createJobs(retriever, config)
  const simple = (role: Role, field: string, answer: (request: MirrorRequest) => MirrorResponse): Endpoint[] =>
    componentsAt(retriever[field]).map((requester) => ({
      role,
      name: field,
      fit: fitOf(requester, config),
      answer,
      shortfalls: [],
    }))
  return [
    ...simple('own', 'creation_requester', jobs.created),
    ...simple('job', 'polling_requester', jobs.polled),
    ...simple('job', 'download_target_requester', jobs.targets),
    ...simple('job', 'abort_requester', () => ({ body: {} })),
    ...simple('job', 'delete_requester', () => ({ body: {} })),
    listEndpoint({
      role: 'job',
      name: 'download',
      retriever: downloadRetriever(retriever),
      stream,
      needs: [],
      config,
      windowOf: jobs.windowOf,
    }),
  ]
}

/** What a job gives is read as a retriever reads any list. */
function downloadRetriever(retriever: Component): Component {
  const extractor = asComponent(retriever.download_extractor)
  const isFile = extractor === null || extractor.type === 'ResponseToFileExtractor'
  const selector = {
    ...asComponent(retriever.record_selector),
    type: 'RecordSelector',
    extractor: isFile ? { type: 'DpathExtractor', field_path: [] } : extractor,
  }
  const decoder = isFile ? { type: 'CsvDecoder' } : retriever.download_decoder
  return {
    type: 'SimpleRetriever',
    requester: retriever.download_requester,
    record_selector: selector,
    paginator: retriever.download_paginator,
    decoder,
  }
}

function createJobs(retriever: Component, config: Config) {
  const windows = new Map<number, TimeRange>()
  const polls = new Map<number, number>()
  const texts = textsIn(Object.entries(retriever).filter(([field]) => field.endsWith('_requester')))
  const decoder = asComponent(retriever.decoder)
  const jobOf = (request: MirrorRequest) =>
    Number(/job-(\d+)-mark/.exec(decodeURIComponent(request.url.href) + request.body)?.[1] ?? windows.size)
  const targetPath = extractorPath(retriever.download_target_extractor, config)
  const isAddress = ['url_base', 'path', 'url'].some((field) =>
    /^\{\{\s*download_target\s*\}\}$/.test(textField(asComponent(retriever.download_requester), field).trim()),
  )
  const withTarget = (body: unknown, job: number) => {
    const target = isAddress ? `https://files.example.com/${mark(job)}` : mark(job)
    return targetPath === null ? body : putValue(body, targetPath, target)
  }
  const answer = (body: unknown): MirrorResponse => encoded(decoder, body, {})
  return {
    created: (request: MirrorRequest): MirrorResponse => {
      const job = windows.size + 1
      windows.set(job, windowIn(request, { formats: [], carriers: 'any' }) ?? wholeTime)
      return answer(responseFor('creation_response', texts, job))
    },
    /** Not done when first asked. */
    polled: (request: MirrorRequest): MirrorResponse => {
      const job = jobOf(request)
      polls.set(job, (polls.get(job) ?? 0) + 1)
      const status = statusOf(retriever, polls.get(job) === 1 ? 'running' : 'completed')
      const body = putValue(
        responseFor('polling_response', texts, job),
        extractorPath(retriever.status_extractor, config) ?? [],
        status,
      )
      return answer(retriever.download_target_requester === undefined ? withTarget(body, job) : body)
    },
    targets: (request: MirrorRequest): MirrorResponse => answer(withTarget({}, jobOf(request))),
    windowOf: (request: MirrorRequest): TimeRange | null => windows.get(jobOf(request)) ?? null,
  }
}

function mark(job: number): string {
  return `job-${job}-mark`
}

function statusOf(retriever: Component, kind: 'running' | 'completed'): unknown {
  const mapping = retriever.status_mapping as Record<string, unknown[]>
  return mapping[kind]?.[0] ?? mapping.completed?.[0]
}

/** Everything that later requests read of this response names the job. */
function responseFor(name: string, texts: readonly string[], job: number): unknown {
  const reads = texts
    .flatMap((text) => readsOf(text).reads)
    .flatMap(({ root, path }): MirrorPath[] => {
      if (root === name) return [path]
      const isKept = root === 'stream_slice' && path[0] === 'extra_fields' && path[1] === name
      return isKept ? [path.slice(2)] : []
    })
  const leaves = leavesOf(reads.filter((path) => path.length > 0 && path[0] !== 'request'))
  return leaves.reduce((body: unknown, path) => putValue(body, path, mark(job)), {})
}

function extractorPath(extractor: unknown, config: Config): MirrorPath | null {
  const component = asComponent(extractor)
  if (component === null || !Array.isArray(component.field_path)) return null
  const scope = { config, parameters: parametersOf(component) }
  return component.field_path.map((key) => (key === '*' ? 0 : textOr(key, scope)))
}
