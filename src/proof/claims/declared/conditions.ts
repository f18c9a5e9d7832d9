/** A condition that ends or continues a read → the places in the response that it reads, and what they mean. */
import type { Comparison, Expression } from '../../../engine/template/syntax/ast.ts'
import { isEmptyValue, pathRead } from '../../../engine/template/syntax/path.ts'
import type { ResponsePlace } from '../response-place.ts'

/** `ends`: whether the read ends where the condition is true, or where it is not. */
export function placesInCondition(condition: Expression, ends: boolean): DeclaredPlace[] {
  switch (condition.kind) {
    case 'not':
      return placesInCondition(condition.operand, !ends)
    case 'and':
    case 'or': {
      // `response.get('next') or {}` is one place.
      const place = placeOf(condition)
      if (place !== null) return truePlace(place, ends)
      return [...placesInCondition(condition.left, ends), ...placesInCondition(condition.right, ends)]
    }
    case 'test':
      return tested(condition, ends)
    case 'compare': {
      const [only, ...others] = condition.rest
      if (only === undefined || others.length > 0) return []
      return compared(condition.first, only.operator, only.operand, ends)
    }
    default: {
      const place = placeOf(condition)
      return place === null ? [] : truePlace(place, ends)
    }
  }
}

function placeOf(expression: Expression): ResponsePlace | null {
  return placeInResponse(pathRead(expression))
}

/** A value that is true or present: a flag that says "done", or the next page. */
function truePlace(place: ResponsePlace, ends: boolean): DeclaredPlace[] {
  return [ends ? { place, means: 'flag', value: true, says: 'end' } : { place, means: 'next' }]
}

function tested({ name, input, args }: Extract<Expression, { kind: 'test' }>, ends: boolean): DeclaredPlace[] {
  const place = placeOf(input)
  if (place === null) return []
  switch (name) {
    case 'none':
    case 'undefined':
      return ends ? [{ place, means: 'next' }] : []
    case 'defined':
      return ends ? [] : [{ place, means: 'next' }]
    case 'true':
    case 'false':
      return [{ place, means: 'flag', value: name === 'true', says: ends ? 'end' : 'more' }]
    case 'eq':
    case 'equalto':
    case 'sameas':
      return args.positional[0] === undefined ? [] : compared(input, '==', args.positional[0], ends)
    default:
      return []
  }
}

function compared(left: Expression, operator: Comparison, right: Expression, ends: boolean): DeclaredPlace[] {
  const meant = ends ? operator : opposite[operator]
  if (meant === 'in' || meant === 'not in') return meant === 'not in' ? missing(left, right) : []
  if (meant !== '==' && meant !== '!=') return placesAtBound(left, meant, right)
  const [read, value] = left.kind === 'constant' ? [right, left] : [left, right]
  const place = placeOf(read)
  if (place !== null && value.kind === 'constant' && typeof value.value === 'boolean') {
    return [{ place, means: 'flag', value: value.value, says: meant === '==' ? 'end' : 'more' }]
  }
  if (place !== null && isEmptyValue(value)) return meant === '==' ? [{ place, means: 'next' }] : []
  if (place !== null && value.kind === 'constant' && typeof value.value === 'string') {
    return [{ place, means: 'flag', value: value.value, says: meant === '==' ? 'end' : 'more' }]
  }
  return meant === '==' ? placesAtBound(left, meant, right) : []
}

/** `'next' not in response.paging` */
function missing(member: Expression, holder: Expression): DeclaredPlace[] {
  const name = member.kind === 'constant' ? member.value : null
  const read = pathRead(holder)
  const place = typeof name === 'string' && read !== null ? placeInResponse([...read, name]) : null
  return place === null ? [] : [{ place, means: 'next' }]
}

/** What holds where the comparison does not. */
export const opposite: Readonly<Record<Comparison, Comparison>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
  in: 'not in',
  'not in': 'in',
}

/** A place in the response where the manifest reads the next page, or the end. */
export type DeclaredPlace = { readonly place: ResponsePlace } & (
  | { readonly means: 'next' }
  /** This value says so; another one says the opposite. */
  | { readonly means: 'flag'; readonly value: boolean | string; readonly says: 'more' | 'end' }
  /** A number that the read ends at. `position`: where the page says which it is, if the two are compared as they are. */
  | { readonly means: 'records' | 'pages' | 'count'; readonly position: ResponsePlace | null }
)

/** The names that a template reads → a place in the response; null where it reads something else, or the whole response. */
export function placeInResponse(read: readonly string[] | null): ResponsePlace | null {
  const [root, first, ...others] = read ?? []
  if (first === undefined) return null
  if (root === 'response') return ['body', first, ...others]
  if (root !== 'headers') return null
  const header = first.toLowerCase()
  // A link has nothing but its address.
  return header === 'link' ? ['header', header, others[0] ?? 'next'] : ['header', header]
}

/** `response.offset + response.limit >= response.things` → `response.things`, which counts records. */
function placesAtBound(left: Expression, operator: '<' | '<=' | '>' | '>=' | '==', right: Expression): DeclaredPlace[] {
  if (operator === '==') {
    const [fromRight] = bound(left, right)
    const [fromLeft] = bound(right, left)
    // Of two plain numbers, the one that is called like a position is none.
    if (fromRight !== undefined && fromLeft !== undefined) return [isPosition(right) ? fromLeft : fromRight]
    return fromRight === undefined ? bound(right, left) : [fromRight]
  }
  return operator === '>' || operator === '>=' ? bound(left, right) : bound(right, left)
}

function bound(position: Expression, total: Expression): DeclaredPlace[] {
  const place = placeInResponse(pathRead(total))
  if (place === null || !reads(position)) return []
  if (isSum(position)) return [{ place, means: 'records', position: null }]
  if (!isPosition(position)) return [{ place, means: 'count', position: null }]
  return [{ place, means: 'pages', position: placeInResponse(pathRead(position)) }]
}

/** Whether it depends on the response or on the read; a written-out size is no position. */
function reads(position: Expression): boolean {
  if (position.kind === 'binary') return reads(position.left) || reads(position.right)
  if (position.kind === 'filter') return reads(position.input)
  const [root] = pathRead(position) ?? []
  return root !== undefined && root !== 'config' && root !== 'parameters'
}

/** Pages times their size, or what came before and what came now: it counts records. */
function isSum(position: Expression): boolean {
  if (position.kind === 'filter') return isSum(position.input)
  if (position.kind !== 'binary') return pathRead(position)?.[0] === 'last_page_size'
  const { operator, left, right } = position
  if (operator === '*') return true
  if (isSum(left) || isSum(right)) return true
  return operator === '+' && reads(left) && reads(right)
}

/** `response.meta.page`, `response.meta.page + 1` */
function isPosition(position: Expression): boolean {
  if (position.kind === 'filter') return isPosition(position.input)
  if (position.kind === 'binary') return isPosition(position.left) && position.right.kind === 'constant'
  const name = pathRead(position)?.at(-1) ?? ''
  return /page|index|number/i.test(name) && !/size|per|limit|total|count|last|max|pages$/i.test(name)
}
