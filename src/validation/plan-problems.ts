/** A stream → errors in its plan that no config can fix. */
import { componentsWithin, isComponent } from '../engine/manifest/components.ts'
import type { Component, Manifest } from '../engine/manifest/manifest.ts'
import { planConcurrency } from '../engine/plan/budget.ts'
import { notAPageSize, pageSizeOf } from '../engine/plan/pagination.ts'
import { parametersOf } from '../engine/plan/read-fields.ts'
import { planComponent } from '../engine/plan/stream.ts'
import { joinUrl } from '../engine/request/url.ts'
import { compileTemplate, type Template } from '../engine/template/template.ts'
import { pythonText } from '../engine/template/text.ts'
import { ConnectorError, type Problem } from '../std/errors.ts'
import type { Config } from '../engine/plan/plan.ts'

export function planProblems(manifest: Manifest, stream: Component): Problem[] {
  const halves = isComponent(stream, 'StateDelegatingStream')
    ? [stream.full_refresh_stream as Component, stream.incremental_stream as Component]
    : [stream]
  const plans = halves.map((half) => failureWithoutConfig((config) => planComponent({ manifest, config }, half)))
  const parts = componentsWithin(stream).flatMap(({ type, node }) => {
    const component = node as Component
    if (type === 'HttpRequester') return [failureWithoutConfig((config) => address(manifest, component, config))]
    if (type === 'ListPartitionRouter') return [failureWithoutConfig((config) => values(manifest, component, config))]
    if (type === 'OffsetIncrement') return [failureWithoutConfig((config) => size(manifest, component, config))]
    return []
  })
  return [...plans, ...parts].flatMap((error) => (error === null ? [] : [problemOf(error, manifest.at(stream))]))
}

export function concurrencyProblems(manifest: Manifest): Problem[] {
  const error = failureWithoutConfig((config) => planConcurrency({ manifest, config }))
  return error === null ? [] : [problemOf(error, manifest.at(manifest.root))]
}

function problemOf({ code, message, hint, at }: ConnectorError, around: Problem['at']): Problem {
  return { code, severity: 'error', message, at: at ?? around, hint }
}

/** The value of a template that uses config and parameters only; null for other or invalid templates. */
function known(component: Component, field: string, config: object): { template: Template; value: unknown } | null {
  const written = component[field]
  if (typeof written !== 'string') return null
  try {
    const template = compileTemplate(written)
    if (![...template.names].every((name) => name === 'parameters' || name === 'config')) return null
    return { template, value: template.evaluate({ config, parameters: parametersOf(component) }) }
  } catch {
    return null
  }
}

/** A path that is known later may be a complete URL, but only where the base is empty. */
function address(manifest: Manifest, requester: Component, config: object): void {
  const field = requester.url_base === undefined ? 'url' : 'url_base'
  const base = known(requester, field, config)
  if (base === null) return
  const start = pythonText(base.value ?? '')
  const path = requester.path === undefined || requester.path === null ? '' : known(requester, 'path', config)
  if (path === null && start === '') return
  const end = path === null || path === '' ? '' : pythonText(path.value ?? '')
  joinUrl(start, end, manifest.at(requester, field))
}

function values(manifest: Manifest, router: Component, config: object): void {
  const list = known(router, 'values', config)
  if (list === null || (typeof list.value === 'object' && list.value !== null)) return
  const message = `\`${list.template.source}\` gives \`${pythonText(list.value).slice(0, 40)}\`, not a list.`
  throw new ConnectorError('slices/invalid-values', message, { at: manifest.at(router, 'values') })
}

function size(manifest: Manifest, strategy: Component, config: object): void {
  const given = known(strategy, 'page_size', config)
  if (given === null || pageSizeOf(given.value) !== null) return
  throw notAPageSize(given.value, given.template, manifest.at(strategy, 'page_size'))
}

/**
 * The error of `work` if it failed before it read the config: then no config can help. Null if it succeeds, or depends
 * on the config.
 */
function failureWithoutConfig(work: (config: Config) => unknown): ConnectorError | null {
  let isRead = false
  const markRead = <Result>(result: Result): Result => {
    isRead = true
    return result
  }
  const config = new Proxy<Config>(
    {},
    {
      // A symbol reads the clock, which is not part of the config.
      get: (_, name) => (typeof name === 'symbol' ? undefined : markRead(undefined)),
      has: (_, name) => (typeof name === 'symbol' ? false : markRead(false)),
      ownKeys: () => markRead([]),
      getOwnPropertyDescriptor: (_, name) => (typeof name === 'symbol' ? undefined : markRead(undefined)),
    },
  )
  try {
    work(config)
    return null
  } catch (error) {
    return error instanceof ConnectorError && !isRead ? error : null
  }
}
