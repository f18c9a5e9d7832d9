/** One stream → whether it runs: to its end, over all its pages, after its parents, and a second time from where it stopped. */
import type { LoadedManifest } from '../src/connector/load-manifest.ts'
import type { Component } from '../src/engine/manifest/manifest.ts'
import { ConnectorError } from '../src/errors.ts'
import { asComponent, componentsIn } from './components.ts'
import type { Config } from './config.ts'
import { cursorOf } from './cursor.ts'
import { endpointsOf } from './endpoints.ts'
import { pagingOf } from './paging.ts'
import { type Read, readOnce } from './read-once.ts'
import { resumes } from './resumes.ts'
import type { AnsweringServer } from './server.ts'

/** `custom`: it needs a class of its connector's own. `unsupported`: a component type does not run yet. */
export type Status = 'runs' | 'fails' | 'custom' | 'unsupported'

export type StreamReport = {
  readonly name: string
  readonly status: Status
  /** Why it does not run; or what it does otherwise than it should. */
  readonly reasons: readonly string[]
  readonly records: number
  readonly pages: number
  readonly requests: number
  /** Null where the question does not arise. */
  readonly turnsPages: boolean | null
  readonly resumes: boolean | null
  readonly parentsFirst: boolean | null
}

export type StreamRun = {
  readonly server: AnsweringServer
  readonly manifest: LoadedManifest
  readonly config: Config
  readonly stream: Component
}

export async function runStream({ server, manifest, config, stream }: StreamRun): Promise<StreamReport> {
  const name = String(stream.name)
  const endpoints = endpointsOf(stream, config)
  const reading = { server, manifest, config, stream: name, endpoints }
  const first = await readOnce(reading)
  const { outcome, asks } = first
  const counted = { name, records: first.records.length, pages: outcome.pages, requests: asks.length }
  const failure = failureOf(stream, first)
  if (failure !== null) return { ...counted, ...failure, turnsPages: null, resumes: null, parentsFirst: null }

  const cursor = cursorOf(stream, config)
  const resumed = cursor === null ? null : await resumes(reading, first, cursor)
  const paged = turnsPages(stream, config, first)
  const inOrder = parentsFirst(first)
  const reasons = [
    ...(first.records.length === 0 ? ['no record came through'] : []),
    ...(paged === false ? [`read ${outcome.pages} pages in ${outcome.slices} slices`] : []),
    ...(resumed === null ? [] : resumed),
    ...(inOrder === false ? ['asked for children before their parents'] : []),
    ...endpoints.flatMap(({ shortfalls, name: endpoint }) =>
      shortfalls.slice(0, 1).map((shortfall) => `answers: ${endpoint}: ${shortfall}`),
    ),
  ]
  return {
    ...counted,
    status: reasons.length === 0 ? 'runs' : 'fails',
    reasons,
    turnsPages: paged,
    resumes: resumed === null ? null : resumed.length === 0,
    parentsFirst: inOrder,
  }
}

function failureOf(
  stream: Component,
  { outcome, cut, unanswered }: Read,
): { status: Status; reasons: string[] } | null {
  const { error } = outcome
  if (cut !== null) return { status: 'fails', reasons: [cut] }
  if (error === undefined)
    return unanswered.length === 0 ? null : { status: 'fails', reasons: [`answers: nobody knows ${unanswered[0]}`] }
  const code = error instanceof ConnectorError ? error.code : error.name
  const customs = componentsIn(stream).filter(({ type }) => type.startsWith('Custom'))
  if (customs.length > 0)
    return {
      status: 'custom',
      reasons: [...new Set(customs.map(({ type, class_name }) => `${type} ${String(class_name)}`))],
    }
  if (code === 'manifest/unsupported-component') return { status: 'unsupported', reasons: typesNamed(error.message) }
  const about = unanswered.length === 0 ? '' : `answers: nobody knows ${unanswered[0]}: `
  return { status: 'fails', reasons: [`${about}${code}: ${error.message}`] }
}

function typesNamed(message: string): string[] {
  return /cannot run yet: ([^.]*)/.exec(message)?.[1]?.split(', ') ?? [message]
}

function turnsPages(stream: Component, config: Config, { outcome, asks }: Read): boolean | null {
  const [own] = asks.filter(({ endpoint }) => endpoint.role === 'own')
  const retriever = asComponent(stream.retriever)
  const isPaginated = retriever !== null && own !== undefined && pagingOf(retriever, config).isTold
  return isPaginated ? outcome.pages > outcome.slices : null
}

function parentsFirst({ asks }: Read): boolean | null {
  const own = asks.findIndex(({ endpoint }) => endpoint.role === 'own')
  const parent = asks.findIndex(({ endpoint }) => endpoint.role === 'parent')
  return own < 0 || parent < 0 ? null : parent < own
}
