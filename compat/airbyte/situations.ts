/** What APIs answer at times, what users leave out of a config, and which states other versions wrote: `--situation` reads streams with one of them. */
import type { Component, Manifest } from '../../src/engine/manifest/manifest.ts'
import { connectionSpecification } from '../../src/engine/plan/config.ts'
import type { Config } from '../../src/engine/plan/plan.ts'
import type { Endpoint, Role } from '../../src/lab/mirror/endpoint.ts'
import { asComponent, componentsInside } from '../../src/lab/mirror/find-components.ts'
import { keyOf, type MirrorRequest, type MirrorResponse } from '../../src/lab/mirror/mirror-request.ts'
import { isObject } from '../../src/std/values/objects.ts'

type JsonObject = Record<string, unknown>

export type Situation = {
  /** What of a stream it concerns: of the streams that are equal in it, one is read. All are read without it. */
  readonly part?: (stream: Component) => unknown
  /** How an endpoint answers. */
  readonly endpoint?: (endpoint: Endpoint) => Endpoint
  /** Null if the spec leaves no choice. */
  readonly config?: (config: Config, manifest: Manifest) => Config | null
  /** The state of an earlier read in another shape; null if it has none like that. */
  readonly state?: (state: JsonObject) => JsonObject | null
}

/** By name. */
export const situations: Readonly<Record<string, Situation>> = {
  'server-error-once': { part: errorHandlers, endpoint: refusingOnce(500) },
  'rate-limited-once': { part: errorHandlers, endpoint: refusingOnce(429, { 'retry-after': '2' }) },
  'bad-request': { part: errorHandlers, endpoint: refusing('own', 400) },
  forbidden: { part: errorHandlers, endpoint: refusing('own', 403) },
  'not-found': { part: errorHandlers, endpoint: refusing('own', 404) },
  'parent-not-found': { part: errorHandlers, endpoint: refusing('parent', 404) },
  'no-records': { part: selection, endpoint: changing(withoutItems) },
  'missing-fields': { part: selection, endpoint: changing((body) => inSecondItems(body, () => ({}))) },
  'null-fields': { part: selection, endpoint: changing((body) => inSecondItems(body, nulls)) },
  'required-config': { config: requiredOnly },
  'other-options': { config: otherOptions },
  'state-of-one-cursor': { part: cursors, state: ({ state }) => (isObject(state) ? state : null) },
  'state-of-all-partitions': {
    part: cursors,
    state: ({ state }) => (isObject(state) ? { use_global_cursor: true, state, lookback_window: 3600 } : null),
  },
  'state-of-some-partitions': {
    part: cursors,
    state: ({ states, ...rest }) => (Array.isArray(states) ? { ...rest, states: states.slice(1) } : null),
  },
  'state-before-start': { part: cursors, state: (state) => inYear(state, '2020') },
  'state-in-future': { part: cursors, state: (state) => inYear(state, '2027') },
  'state-of-another-cursor': { part: cursors, state: () => ({ changed_by_hand: '2026-06-01T00:00:00Z' }) },
}

function errorHandlers({ retriever, incremental_sync }: Component): unknown {
  const handlers = componentsInside(retriever).filter(({ type }) => type.endsWith('ErrorHandler'))
  return [handlers, incremental_sync === undefined, typesIn(asComponent(retriever)?.partition_router)]
}

function selection({ retriever, transformations, incremental_sync }: Component): unknown {
  const { record_selector: selector, partition_router: router } = asComponent(retriever) ?? { type: '' }
  return [filtersIn(selector), transformations, typesIn(incremental_sync), typesIn(router)]
}

/** Where the records are is not what makes a difference. */
function filtersIn(selector: unknown): unknown {
  return { ...asComponent(selector), extractor: typesIn(asComponent(selector)?.extractor) }
}

function cursors({ retriever, incremental_sync }: Component): unknown {
  return [incremental_sync, typesIn(asComponent(retriever)?.partition_router)]
}

function typesIn(node: unknown): string[] {
  return componentsInside(node).map(({ type }) => type)
}

function refusal(status: number, headers: Record<string, string>): MirrorResponse {
  return { status, headers, body: { message: `status ${status}` } }
}

function refusing(role: Role, status: number): (endpoint: Endpoint) => Endpoint {
  return (endpoint) => (endpoint.role === role ? { ...endpoint, answer: () => refusal(status, {}) } : endpoint)
}

/** Each request is answered when it comes a second time. */
function refusingOnce(status: number, headers: Record<string, string> = {}): (endpoint: Endpoint) => Endpoint {
  return (endpoint) => {
    const refused = new Set<string>()
    const answer = (request: MirrorRequest) => {
      const key = keyOf(request)
      if (endpoint.role === 'login' || refused.has(key)) return endpoint.answer(request)
      refused.add(key)
      return refusal(status, headers)
    }
    return { ...endpoint, answer }
  }
}

function changing(change: (body: unknown) => unknown): (endpoint: Endpoint) => Endpoint {
  return (endpoint) => {
    const answer = (request: MirrorRequest) => {
      const response = endpoint.answer(request)
      const { body } = response
      return Array.isArray(body) || isObject(body) ? { ...response, body: change(body) } : response
    }
    return endpoint.role === 'own' ? { ...endpoint, answer } : endpoint
  }
}

function withoutItems(body: unknown): unknown {
  if (Array.isArray(body)) return []
  return isObject(body) ? mapped(body, withoutItems) : body
}

/** Of lists from three on: pages may depend on the first item and on the last. */
function inSecondItems(body: unknown, change: (item: JsonObject) => JsonObject): unknown {
  if (isObject(body)) return mapped(body, (member) => inSecondItems(member, change))
  if (!Array.isArray(body) || body.length < 3) return body
  return body.map((item: unknown, index) =>
    index === 1 && isObject(item) ? { ...change(item), ...withNames(item, /id$|^key$|^leaf$/i) } : item,
  )
}

function withNames(object: JsonObject, names: RegExp): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.test(name)))
}

function nulls(object: JsonObject): JsonObject {
  return mapped(object, () => null)
}

function mapped(object: JsonObject, change: (member: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, change(member)]))
}

function requiredOnly(config: Config, manifest: Manifest): Config | null {
  const required = [connectionSpecification(manifest)?.required].flat()
  const kept = Object.entries(config).filter(([name]) => required.includes(name))
  return kept.length < Object.keys(config).length ? Object.fromEntries(kept) : null
}

/** Booleans turned round, and the last choice of each enum. */
function otherOptions(config: Config, manifest: Manifest): Config | null {
  const properties = connectionSpecification(manifest)?.properties
  const options = Object.entries(config).flatMap(([name, value]) => {
    const other = otherOption(value, isObject(properties) ? properties[name] : undefined)
    return other === value ? [] : [[name, other] as const]
  })
  return options.length > 0 ? { ...config, ...Object.fromEntries(options) } : null
}

function otherOption(value: unknown, schema: unknown): unknown {
  if (typeof value === 'boolean') return !value
  return isObject(schema) && Array.isArray(schema.enum) ? schema.enum.at(-1) : value
}

/** Null where no date begins with its year, and for partitions. */
function inYear(state: JsonObject, year: string): JsonObject | null {
  const moved = mapped(state, (value) => (typeof value === 'string' ? value.replace(/^20\d\d/, year) : value))
  return Object.values(moved).some((value) => typeof value === 'string' && value.startsWith(year)) ? moved : null
}
