/** An expression → the place it reads, however its author spelled it; null for one that computes. */
import type { Expression } from './ast.ts'

/**
 * The name in the scope, then the names and positions behind it.
 *
 * @example placeRead(parsed('(response.get("page") or {}).get("next")')) // ['response', 'page', 'next']
 */
export function placeRead(expression: Expression): readonly string[] | null {
  switch (expression.kind) {
    case 'name':
      return [expression.name]
    case 'attribute':
      return within(expression.of, expression.name)
    case 'item':
      return within(expression.of, keyIn(expression.key))
    case 'call': {
      const { callee, args } = expression
      const [key] = args.positional
      if (callee.kind !== 'attribute' || callee.name !== 'get' || key === undefined) return null
      return within(callee.of, keyIn(key))
    }
    // `or {}`, `| default('')`, `| int`: what stands there, or something in its place.
    case 'or':
      return isEmptyValue(expression.right) ? placeRead(expression.left) : null
    case 'filter':
      return sameValue.has(expression.name) ? placeRead(expression.input) : null
    default:
      return null
  }
}

const sameValue = new Set(['default', 'd', 'int', 'float', 'string', 'trim', 'bool'])

function within(outer: Expression, name: string | null): readonly string[] | null {
  const place = name === null ? null : placeRead(outer)
  return place === null || name === null ? null : [...place, name]
}

function keyIn(key: Expression): string | null {
  if (key.kind === 'sign' && key.operator === '-') {
    const position = keyIn(key.operand)
    return position === null ? null : `-${position}`
  }
  if (key.kind !== 'constant') return null
  return typeof key.value === 'string' || typeof key.value === 'number' ? String(key.value) : null
}

/** Nothing, as authors write it: `none`, `''`, `{}`, `[]`. */
export function isEmptyValue(expression: Expression): boolean {
  switch (expression.kind) {
    case 'constant':
      return expression.value === null || expression.value === '' || expression.value === false
    case 'list':
    case 'tuple':
      return expression.items.length === 0
    case 'dict':
      return expression.entries.length === 0
    default:
      return false
  }
}
