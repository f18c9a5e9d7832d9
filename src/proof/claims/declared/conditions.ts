/** A condition that ends a walk, or keeps it going → the places of the answer it looks at, and what they mean there. */
import type { Comparison, Expression } from '../../../engine/template/syntax/ast.ts'
import { isEmptyValue, pathRead } from '../../../engine/template/syntax/path.ts'
import type { Place } from '../response-place.ts'
import { answerPlace, type OwnPlace } from './declared-place.ts'
import { placesAtBound } from './bounds.ts'

/** `ends`: whether the walk ends where the condition is true, or where it is not. */
export function placesInCondition(condition: Expression, ends: boolean): OwnPlace[] {
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

function placeOf(expression: Expression): Place | null {
  return answerPlace(pathRead(expression))
}

/** Something stands there: a flag that says "done", or the next page. */
function truePlace(place: Place, ends: boolean): OwnPlace[] {
  return [ends ? { place, means: 'flag', value: true, says: 'end' } : { place, means: 'next' }]
}

function tested({ name, input, args }: Extract<Expression, { kind: 'test' }>, ends: boolean): OwnPlace[] {
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

function compared(left: Expression, operator: Comparison, right: Expression, ends: boolean): OwnPlace[] {
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
function missing(member: Expression, holder: Expression): OwnPlace[] {
  const name = member.kind === 'constant' ? member.value : null
  const read = pathRead(holder)
  const place = typeof name === 'string' && read !== null ? answerPlace([...read, name]) : null
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
