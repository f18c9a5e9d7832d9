/** A requester of the manifest → how well a request fits it. */
import type { Component } from '../src/engine/manifest/manifest.ts'
import { compileTemplate } from '../src/engine/template/template.ts'
import { pythonText } from '../src/engine/template/text.ts'
import { type Asked, textOf } from './asked.ts'
import { parametersOf, textIn, textsIn } from './components.ts'
import type { Config } from './config.ts'
import { readsOf } from './template-reads.ts'

export type Fit = (asked: Asked) => number

/** Below 0: the request is not for this requester. The higher, the better. */
export function fitOf(requester: Component, config: Config): Fit {
  const addresses = addressesOf(requester, config)
  const method = textIn(requester, 'http_method', 'GET').toUpperCase()
  const fields = ['request_parameters', 'request_headers', 'request_body_json', 'request_body_data', 'request_body']
  const words = textsIn(fields.map((field) => requester[field]))
    .flatMap(literalsIn)
    .filter((word) => word.length > 1)
  const parts = pathParts(textIn(requester, 'path'))
  return (asked) => {
    if (!/\{\{|\{%/.test(method) && asked.method !== method) return -1
    const { origin, pathname, search } = asked.url
    const url = `${origin}${singleSlashes(pathname)}${search}`
    const address = addresses.find(({ pattern }) => pattern.test(url) || pattern.test(decoded(url)))
    if (address === undefined) return -1
    const text = textOf(asked)
    const said = words.map((word) => (text.includes(word) ? Math.min(word.length, 40) / 4 : -1))
    const walked = parts.map((part) => (pathname.includes(part) ? part.length : -2))
    return Math.max(
      0,
      [...said, ...walked].reduce((sum, one) => sum + one, address.literals),
    )
  }
}

/** Pieces of an address inside an expression: `{{ 'boards/' ~ id ~ '/pins' }}`. */
function pathParts(path: string): string[] {
  const { constants } = readsOf(path)
  return constants.filter((value) => typeof value === 'string').filter((text) => text.length > 2 && text.includes('/'))
}

type Address = { readonly pattern: RegExp; readonly literals: number }

/** With the query that the path itself holds, and without it. What only a request knows stands for anything. */
function addressesOf(requester: Component, config: Config): Address[] {
  const scope = { config, parameters: parametersOf(requester) }
  const base = evaluated(textIn(requester, 'url') || textIn(requester, 'url_base'), scope)
  const path = evaluated(textIn(requester, 'path'), scope).replace(/^\/+/, '')
  const joined = path === '' || path.startsWith('http') ? path || base : `${base.replace(/\/+$/, '')}/${path}`
  const whole = singleSlashes(joined)
  const [bare = ''] = whole.split('?')
  return [whole, bare].map((address) => {
    const source = address.split(anything).map(escaped).join('.*')
    return {
      pattern: new RegExp(`^${source.replace(/\/+$/, '')}/*(?:[?&].*)?$`, 'is'),
      literals: address.replaceAll(anything, '').length,
    }
  })
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
