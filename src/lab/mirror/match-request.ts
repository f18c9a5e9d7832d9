/** A requester of the manifest → how well a request fits it. */
import type { Component } from '../../engine/manifest/manifest.ts'
import type { Config } from '../../engine/plan/plan.ts'
import type { Body, Expression, Statement } from '../../engine/template/syntax/ast.ts'
import { parseTemplate } from '../../engine/template/syntax/statements.ts'
import { normalise } from '../../engine/template/syntax/tokens.ts'
import { pythonText } from '../../engine/template/text.ts'
import { parametersOf } from '../../engine/plan/read-fields.ts'
import { type MirrorRequest, requestText } from './mirror-request.ts'
import { textField, textsIn } from './find-components.ts'
import { evaluateAtFixedTime } from './evaluate-at-fixed-time.ts'
import { percentDecode } from '../../std/text/percent-decode.ts'
import { escapePattern } from '../../std/text/escape-pattern.ts'

export type Fit = (request: MirrorRequest) => number

/** Below 0: the request is not for this requester. The higher, the better. */
export function fitOf(requester: Component, config: Config): Fit {
  const addresses = addressesOf(requester, config)
  const method = textField(requester, 'http_method', 'GET').toUpperCase()
  const fields = ['request_parameters', 'request_headers', 'request_body_json', 'request_body_data', 'request_body']
  const words = textsIn(fields.map((field) => requester[field])).flatMap(literalsIn)
  return (request) => {
    if (!method.includes('{') && request.method !== method) return -1
    const { origin, pathname, search } = request.url
    const url = `${origin}${singleSlashes(pathname)}${search}`
    const address = addresses.find(({ pattern }) => pattern.test(url) || pattern.test(percentDecode(url)))
    if (address === undefined) return -1
    const text = requestText(request)
    const said = words.map((word) => (text.includes(word) ? Math.min(word.length, 40) / 4 : -1))
    return Math.max(
      0,
      said.reduce((sum, one) => sum + one, address.literals),
    )
  }
}

type Address = { readonly pattern: RegExp; readonly literals: number }

/** The most particular first; with the query that the path itself holds, and without it. */
function addressesOf(requester: Component, config: Config): Address[] {
  const scope = { config, parameters: parametersOf(requester) }
  const bases = formsOf(textField(requester, 'url') || textField(requester, 'url_base'), scope)
  const paths = formsOf(textField(requester, 'path'), scope)
  const wholes = bases.flatMap((base) => paths.map((path) => singleSlashes(joinedUrl(base.trim(), path.trim()))))
  const addresses = wholes
    .flatMap((whole) => [whole, whole.split('?')[0] ?? ''])
    .map((address) => ({
      pattern: patternOf(address),
      literals: address.replaceAll(anything, '').length,
    }))
  return addresses.toSorted((one, other) => other.literals - one.literals)
}

function joinedUrl(base: string, path: string): string {
  const relative = path.replace(/^\/+/, '')
  if (relative === '' || base === '' || relative.startsWith('http')) return relative || base
  return `${base.replace(/\/+$/, '')}/${relative}`
}

/** A wildcard matches one segment of the path, unless it is the whole path. Only the last segment may be empty. */
function patternOf(address: string): RegExp {
  const [, host = '', path = ''] = /^(https?:\/\/[^/]*)?(.*)$/s.exec(address) ?? []
  const segments = path.split('/')
  const parts = segments.map((part, index) => {
    if (part !== anything) return part.split(anything).map(escapePattern).join('.*')
    return index === segments.length - 1 ? '[^/?]*' : '[^/?]+'
  })
  const source =
    path === anything || host === ''
      ? address.split(anything).map(escapePattern).join('.*')
      : `${host.split(anything).map(escapePattern).join('.*')}${parts.join('/')}`
  return new RegExp(`^${source.replace(/\/+$/, '')}/*(?:[?&].*)?$`, 'is')
}

/** As Python joins addresses: one slash is as good as two. */
function singleSlashes(address: string): string {
  return address.replaceAll(/(?<!:)\/{2,}/g, '/')
}

function literalsIn(template: string): string[] {
  return template
    .split(/\{\{.*?\}\}|\{%.*?%\}/s)
    .map((word) => word.trim())
    .filter((word) => word.length > 1)
}

/** Matches any text. */
const anything = '\u0000'

const maxForms = 16
const expression = /\{\{.*?\}\}/gs

/** `{{ 'me' if own else 'users/' ~ id }}` has two: `me`, and `users/` with anything after it. */
function formsOf(template: string, scope: Record<string, unknown>): string[] {
  const whole = attempt(template, scope)
  if (whole !== null) return [whole]
  const known = template.replaceAll(expression, (part) => attempt(part, scope) ?? part)
  try {
    return formsOfBody(parseTemplate(normalise(known)))
  } catch {
    return [known.replaceAll(expression, anything)]
  }
}

function attempt(template: string, scope: Record<string, unknown>): string | null {
  try {
    return pythonText(evaluateAtFixedTime(template, scope))
  } catch {
    return null
  }
}

function formsOfBody(body: Body): string[] {
  return body.map(formsOfStatement).reduce(joined, [''])
}

function formsOfStatement(statement: Statement): string[] {
  switch (statement.kind) {
    case 'text':
      return [statement.text]
    case 'output':
      return formsOfExpression(statement.value)
    case 'if':
      return [...formsOfBody(statement.body), ...formsOfBody(statement.otherwise)]
    case 'set':
      return ['']
    default:
      return [anything]
  }
}

function formsOfExpression(node: Expression): string[] {
  switch (node.kind) {
    case 'constant':
      return [typeof node.value === 'string' ? node.value : anything]
    case 'concat':
      return node.parts.map(formsOfExpression).reduce(joined, [''])
    case 'binary':
      return node.operator === '+' ? joined(formsOfExpression(node.left), formsOfExpression(node.right)) : [anything]
    case 'condition':
      return [...formsOfExpression(node.yes), ...(node.no === null ? [''] : formsOfExpression(node.no))]
    default:
      return [anything]
  }
}

function joined(left: readonly string[], right: readonly string[]): string[] {
  return left.flatMap((one) => right.map((other) => one + other)).slice(0, maxForms)
}
