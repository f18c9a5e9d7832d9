/** A requester of the manifest → how well a request fits it. */
import type { Component } from '../src/engine/manifest/manifest.ts'
import { compileTemplate } from '../src/engine/template/template.ts'
import { pythonText } from '../src/engine/template/text.ts'
import { type Asked, textOf } from './asked.ts'
import { parametersOf, textIn, textsIn } from './components.ts'
import type { Config } from './config.ts'

export type Fit = (asked: Asked) => number

/** Below 0: the request is not for this requester. The higher, the better. */
export function fitOf(requester: Component, config: Config): Fit {
  const address = addressOf(requester, config)
  const method = textIn(requester, 'http_method', 'GET').toUpperCase()
  const details = textsIn([
    requester.request_parameters,
    requester.request_headers,
    requester.request_body_json,
    requester.request_body_data,
    requester.request_body,
  ])
  const words = details.flatMap(literalsIn).filter((word) => word.length > 1)
  return (asked) => {
    if (!/\{\{|\{%/.test(method) && asked.method !== method) return -1
    const url = asked.url.origin + singleSlashes(asked.url.pathname)
    const isThere = [url, decoded(url), asked.url.href].some((one) => address.pattern.test(one))
    if (!isThere) return -1
    const text = textOf(asked)
    return (
      address.literals +
      words.reduce((sum, word) => sum + (text.includes(word) ? Math.min(word.length, 40) / 4 : -1), 0)
    )
  }
}

/** Templates over config and parameters are evaluated; what only a request knows stands for anything. */
function addressOf(requester: Component, config: Config): { pattern: RegExp; literals: number } {
  const scope = { config, parameters: parametersOf(requester) }
  const base = evaluated(textIn(requester, 'url') || textIn(requester, 'url_base'), scope)
  const path = evaluated(textIn(requester, 'path'), scope).replace(/^\/+/, '')
  const joined = path === '' || path.startsWith('http') ? path || base : `${base.replace(/\/+$/, '')}/${path}`
  const [address = ''] = singleSlashes(joined).split('?')
  const source = address.split(anything).map(escaped).join('.*')
  return {
    pattern: new RegExp(`^${source.replace(/\/+$/, '')}/*(?:\\?.*)?$`, 'is'),
    literals: address.replaceAll(anything, '').length,
  }
}

/** As Python joins addresses: one slash is as good as two. */
function singleSlashes(address: string): string {
  return address.replaceAll(/(?<!:)\/{2,}/g, '/')
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

const anything = '\u0000'
const expression = /\{\{.*?\}\}|\{%.*%\}/gs

function evaluated(template: string, scope: Record<string, unknown>): string {
  try {
    return pythonText(compileTemplate(template).evaluate(scope))
  } catch {
    return template.replaceAll(expression, (part) => valueOf(part, scope))
  }
}

function valueOf(part: string, scope: Record<string, unknown>): string {
  try {
    return pythonText(compileTemplate(part).evaluate(scope))
  } catch {
    return anything
  }
}

function literalsIn(template: string): string[] {
  return template.split(expression).map((word) => word.trim())
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
