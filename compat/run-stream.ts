/** One stream → whether it runs: to its end, over all its pages, after its parents, and a second time from where it stopped. */
import type { LoadedManifest } from '../src/connector/load-manifest.ts'
import type { Component } from '../src/engine/manifest/manifest.ts'
import { ConnectorError } from '../src/std/errors.ts'
import { asComponent, componentsInside } from '../src/lab/mirror/find-components.ts'
import type { Config } from '../src/engine/plan/plan.ts'
import { cursorOf } from '../src/lab/mirror/cursor.ts'
import type { Endpoint } from '../src/lab/mirror/endpoint.ts'
import { endpointsOf } from '../src/lab/mirror/endpoints.ts'
import { exceptionFor } from './exceptions.ts'
import { pagingOf } from '../src/lab/mirror/paging.ts'
import { type Read, readOnce } from './read-once.ts'
import { resumes } from './resumes.ts'
import type { AnsweringServer } from '../src/lab/mirror/server.ts'

/**
 * `custom`: it needs a class of its connector's own, and says which. `unsupported`: a component type does not run yet.
 * `excepted`: a listed exception.
 */
export type Status = 'runs' | 'fails' | 'custom' | 'unsupported' | 'excepted'

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
  readonly connector: string
  readonly config: Config
  readonly name: string
  readonly stream: Component
  /** Endpoints that are asked before the stream is known. */
  readonly before: readonly Endpoint[]
}

export async function runStream(run: StreamRun): Promise<StreamReport> {
  const { connector, config, name, stream } = run
  const endpoints = [...run.before, ...endpointsOf(stream, config)]
  const first = await readOnce({ ...run, stream: name, endpoints })
  const { outcome, asks } = first
  const counted = { name, records: first.records.length, pages: outcome.pages, requests: asks.length }
  const unasked = { turnsPages: null, resumes: null, parentsFirst: null }
  const failure = failureOf(stream, first)
  if (failure !== null) return excepting(connector, { ...counted, ...unasked, ...failure })

  const cursor = cursorOf(stream, config)
  const second = cursor === null ? null : await resumes({ ...run, stream: name, endpoints }, first, cursor)
  if (second?.read !== undefined) {
    const again = failureOf(stream, second.read)
    if (again !== null) return excepting(connector, { ...counted, ...unasked, ...again })
  }
  const checks = {
    turnsPages: turnsPages(stream, config, first),
    resumes: second?.isNewOnly ?? null,
    parentsFirst: parentsFirst(first),
  }
  const reasons = [
    ...(first.records.length === 0 ? ['no record came through'] : []),
    ...(checks.turnsPages === false ? [`read ${outcome.pages} pages in ${outcome.slices} slices`] : []),
    ...(second?.reasons ?? []),
    ...(checks.parentsFirst === false ? ['requested children before their parents'] : []),
    ...endpoints.flatMap((endpoint) =>
      endpoint.shortfalls.slice(0, 1).map((one) => `answers: ${endpoint.name}: ${one}`),
    ),
  ]
  return excepting(connector, { ...counted, ...checks, status: reasons.length === 0 ? 'runs' : 'fails', reasons })
}

function excepting(connector: string, report: StreamReport): StreamReport {
  const because = report.status === 'fails' ? exceptionFor(connector, report.name, report.reasons) : null
  return because === null ? report : { ...report, status: 'excepted', reasons: [because], turnsPages: null }
}

function failureOf(stream: Component, read: Read): { status: Status; reasons: string[] } | null {
  const { outcome, cut, unanswered } = read
  const unknown = unanswered.slice(0, 1).map((request) => `no endpoint answers ${request}`)
  if (cut !== null) return { status: 'fails', reasons: [cut] }
  const { error } = outcome
  if (error === undefined) return unknown.length === 0 ? null : { status: 'fails', reasons: unknown }
  if (!(error instanceof ConnectorError)) return { status: 'fails', reasons: [`${error.name}: ${error.message}`] }
  if (namesOwnClass(stream, error)) return { status: 'custom', reasons: customTypes(stream) }
  if (error.code === 'manifest/unsupported-component')
    return { status: 'unsupported', reasons: typesNamed(error.message) }
  return { status: 'fails', reasons: [...unknown, `${error.code}: ${error.message}`] }
}

/** The error says which class is missing, what it is for, and what it has to extend. */
export function namesOwnClass(stream: Component, { code, message, hint }: ConnectorError): boolean {
  const classes = componentsInside(stream).flatMap(({ class_name }) =>
    typeof class_name === 'string' ? [class_name] : [],
  )
  if (!classes.some((name) => message.includes(name))) return false
  // Airbyte has removed a role: there is nothing to extend any more.
  return code === 'manifest/unsupported-component' || /class \w+ extends \w+/.test(hint)
}

export function customTypes(stream: Component): string[] {
  const customs = componentsInside(stream).filter(({ type }) => type.startsWith('Custom'))
  return [...new Set(customs.map(({ type, class_name }) => `${type} ${String(class_name)}`))]
}

function typesNamed(message: string): string[] {
  return /cannot run yet: ([^.]*)/.exec(message)?.[1]?.split(', ') ?? [message]
}

function turnsPages(stream: Component, config: Config, { outcome, asks }: Read): boolean | null {
  const isAsked = asks.some(({ endpoint }) => endpoint.role === 'own')
  const retriever = asComponent(stream.retriever)
  const isPaginated =
    isAsked && asComponent(retriever?.requester) !== null && pagingOf(retriever as Component, config).hasPageToken
  return isPaginated ? outcome.pages > outcome.slices : null
}

function parentsFirst({ asks }: Read): boolean | null {
  const own = asks.findIndex(({ endpoint }) => endpoint.role === 'own')
  const parent = asks.findIndex(({ endpoint }) => endpoint.role === 'parent')
  return own < 0 || parent < 0 ? null : parent < own
}
