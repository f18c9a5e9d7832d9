/** A walk ends where one number reaches another → which of them is the total, and what it counts. */
import type { Expression } from '../../../engine/template/syntax/ast.ts'
import { pathRead } from '../../../engine/template/syntax/path.ts'
import { answerPlace, type OwnPlace } from './declared-place.ts'

/** `response.offset + response.limit >= response.things` → `response.things`, which counts records. */
export function placesAtBound(
  left: Expression,
  operator: '<' | '<=' | '>' | '>=' | '==',
  right: Expression,
): OwnPlace[] {
  if (operator === '==') {
    const [fromRight] = bound(left, right)
    const [fromLeft] = bound(right, left)
    // Of two plain numbers, the one that is called like a position is none.
    if (fromRight !== undefined && fromLeft !== undefined) return [isPosition(right) ? fromLeft : fromRight]
    return fromRight === undefined ? bound(right, left) : [fromRight]
  }
  return operator === '>' || operator === '>=' ? bound(left, right) : bound(right, left)
}

function bound(position: Expression, total: Expression): OwnPlace[] {
  const place = answerPlace(pathRead(total))
  if (place === null || !reads(position)) return []
  if (isSum(position)) return [{ place, means: 'records', position: null }]
  if (!isPosition(position)) return [{ place, means: 'count', position: null }]
  return [{ place, means: 'pages', position: answerPlace(pathRead(position)) }]
}

/** Something of the answer or of the walk is in it; a size that is written out is no position. */
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
