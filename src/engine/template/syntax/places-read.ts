/** A template → every place that it reads, as far as its text shows. */
import type { Arguments, Body, Expression, Statement } from './ast.ts'
import { childrenOf } from './names.ts'
import { pathRead } from './path.ts'
import { parseTemplate } from './statements.ts'
import { normalise } from './tokens.ts'

/** The name in the scope, then the names after it: the longest chain each, so that `response.a.b` is one place. */
export type PlaceRead = readonly string[]

/** @example placesReadBy("{{ 'next' not in response.links }}") // [['response', 'links', 'next']] */
export function placesReadBy(source: string): PlaceRead[] {
  return placesInBody(parseTemplate(normalise(source)))
}

/** As an author writes it: `response.paging.next`. */
export function spelt([root = '', ...names]: PlaceRead): string {
  return names.reduce((text, name) => text + (/^[a-z_]\w*$/i.test(name) ? `.${name}` : `['${name}']`), root)
}

function placesInBody(body: Body): PlaceRead[] {
  return body.flatMap(placesInStatement)
}

function placesInStatement(statement: Statement): PlaceRead[] {
  switch (statement.kind) {
    case 'text':
      return []
    case 'output':
    case 'set':
      return placesIn(statement.value)
    case 'if':
      return [...placesIn(statement.test), ...placesInBody(statement.body), ...placesInBody(statement.otherwise)]
    case 'for':
      return [...placesIn(statement.over), ...placesInBody(statement.body), ...placesInBody(statement.otherwise)]
    case 'with':
      return [...statement.targets.flatMap(([, value]) => placesIn(value)), ...placesInBody(statement.body)]
    case 'set-block':
    case 'filter-block':
    case 'macro':
    case 'block':
      return placesInBody(statement.body)
  }
}

function placesIn(node: Expression): PlaceRead[] {
  const place = pathRead(node)
  if (place !== null) return [place]
  switch (node.kind) {
    case 'call':
      // A method is no member: of `response.next.split('=')` the place is `response.next`.
      return [
        ...placesIn(node.callee.kind === 'attribute' ? node.callee.of : node.callee),
        ...placesInArguments(node.args),
      ]
    case 'filter':
    case 'test':
      return [...placesIn(node.input), ...placesInArguments(node.args)]
    case 'compare':
      return placesInComparison(node)
    default:
      return childrenOf(node).flatMap(placesIn)
  }
}

function placesInArguments({ positional, named, spread, spreadNamed }: Arguments): PlaceRead[] {
  const values = [...positional, ...named.map(([, value]) => value), spread, spreadNamed]
  return values.flatMap((value) => (value === null ? [] : placesIn(value)))
}

/** `'next' in response.links` reads the member `next`. */
function placesInComparison({ first, rest }: Expression & { kind: 'compare' }): PlaceRead[] {
  const [only] = rest
  const isMembership = rest.length === 1 && (only?.operator === 'in' || only?.operator === 'not in')
  const name = first.kind === 'constant' && typeof first.value === 'string' ? first.value : null
  const holder = isMembership && only !== undefined && name !== null ? pathRead(only.operand) : null
  if (holder !== null && name !== null) return [[...holder, name]]
  return [...placesIn(first), ...rest.flatMap(({ operand }) => placesIn(operand))]
}
