/** A template ↔ the path that it reads: the name in the scope, then the names and positions after it. */
import type { Expression } from './ast.ts'
import { parseTemplate } from './statements.ts'
import { normalise } from './tokens.ts'

/** A number is a position in a list; negative ones count from its end. */
export type PathStep = string | number

/**
 * The path that an expression reads, however its author spelled it; null for one that computes.
 *
 * @example pathRead(parsed('(response.get("page") or {}).get("next")')) // ['response', 'page', 'next']
 */
export function pathRead(expression: Expression): readonly string[] | null {
  return stepsOf(expression, false)?.map(String) ?? null
}

/**
 * The same for the text of a template. An exact path gives the value as it is, or nothing: filters and defaults that put
 * something else in its place are refused.
 *
 * @example pathReadBy("{{ response['items'][0].id }}") // ['response', 'items', 0, 'id']
 */
export function pathReadBy(source: string, { isExact = false } = {}): readonly PathStep[] | null {
  try {
    const [only, ...others] = parseTemplate(normalise(source.trim()))
    if (only?.kind !== 'output' || others.length > 0) return null
    return isExact && only.value.kind === 'or' ? null : stepsOf(only.value, isExact)
  } catch {
    // A template that cannot be parsed reads no path.
    return null
  }
}

/**
 * The expression that reads a path of names, and gives nothing where an object on the way is missing or null: some APIs
 * drop them on the last page.
 *
 * @example writePath(['response', 'paging', 'next']) // '(response.get("paging") or {}).get("next")'
 */
export function writePath(path: readonly string[]): string {
  const last = quoted(path.at(-1) ?? '')
  return path.length < 2 ? (path[0] ?? '') : `${holderOf(path)}.get(${last})`
}

/**
 * The template that reads a path of names.
 * Airbyte's builder writes `response.get("paging", {}).get("next", {})`, which fails where the last page has
 * `"paging": null`. This one gives nothing there, in Airbyte and here; for a single name both are the same.
 *
 * @example writePathTemplate(['response', 'paging', 'next']) // '{{ (response.get("paging") or {}).get("next", {}) }}'
 */
export function writePathTemplate(path: readonly string[]): string {
  return path.length < 2 ? '' : `{{ ${holderOf(path)}.get(${quoted(path.at(-1) ?? '')}, {}) }}`
}

function holderOf([root = '', ...names]: readonly string[]): string {
  return names.slice(0, -1).reduce((holder, name) => `(${holder}.get(${quoted(name)}) or {})`, root)
}

/** A name that an API chose, as a string of a template: it must not be able to end that string. */
function quoted(name: string): string {
  return JSON.stringify(name)
}

function stepsOf(expression: Expression, isExact: boolean): readonly PathStep[] | null {
  const within = (holder: Expression, step: PathStep | null): readonly PathStep[] | null => {
    const outer = step === null ? null : stepsOf(holder, isExact)
    return outer === null || step === null ? null : [...outer, step]
  }
  switch (expression.kind) {
    case 'name':
      return [expression.name]
    case 'attribute':
      return within(expression.of, expression.name)
    case 'item':
      return within(expression.of, keyIn(expression.key))
    case 'call': {
      const { callee, args } = expression
      const [key, fallback] = args.positional
      if (callee.kind !== 'attribute' || callee.name !== 'get' || key === undefined) return null
      if (isExact && fallback !== undefined && !isEmptyValue(fallback)) return null
      return within(callee.of, keyIn(key))
    }
    // `or {}`, `| default('')`, `| int`: the value, or something in its place.
    case 'or':
      return isEmptyValue(expression.right) ? stepsOf(expression.left, isExact) : null
    case 'filter':
      return !isExact && sameValue.has(expression.name) ? stepsOf(expression.input, isExact) : null
    default:
      return null
  }
}

const sameValue = new Set(['default', 'd', 'int', 'float', 'string', 'trim', 'bool'])

function keyIn(key: Expression): PathStep | null {
  if (key.kind === 'sign' && key.operator === '-') {
    const position = keyIn(key.operand)
    return typeof position === 'number' ? -position : position === null ? null : `-${position}`
  }
  if (key.kind !== 'constant') return null
  return typeof key.value === 'string' || typeof key.value === 'number' ? key.value : null
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
