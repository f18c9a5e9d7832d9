/** The kinds of the table, as questions and as words: does this value fit, and what was wanted? */
import { Float } from '../../std/json.ts'
import { isComponentType, type FieldKind } from './components.ts'
import { listed } from './problem.ts'

export type Single = Exclude<FieldKind, readonly FieldKind[]>

/** The kinds a field may hold, one by one. */
export function alternativesOf(kind: FieldKind): readonly Single[] {
  return isList(kind) ? kind.flatMap(alternativesOf) : [kind]
}

function isList(kind: FieldKind): kind is readonly FieldKind[] {
  return Array.isArray(kind)
}

/** Whether a string, number, boolean or null fits one of the kinds; `choice` when it is a string that is not among the choices. */
export function accepts(alternatives: readonly Single[], value: unknown): boolean | 'choice' {
  if (alternatives.some((kind) => fits(kind, value))) return true
  return (
    typeof value === 'string' && alternatives.some((kind) => typeof kind === 'object' && 'choice' in kind) && 'choice'
  )
}

function fits(kind: Single, value: unknown): boolean {
  switch (kind) {
    case 'any':
      return true
    case 'text':
    case 'template':
      return typeof value === 'string'
    case 'integer':
      return Number.isSafeInteger(value)
    case 'number':
      return typeof value === 'number' || value instanceof Float
    case 'boolean':
      return typeof value === 'boolean'
    case 'null':
      return value === null
    default:
      return typeof kind === 'object' && 'choice' in kind && kind.choice.some((choice) => choice === value)
  }
}

const words: Partial<Record<string, string>> = {
  text: 'text',
  template: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  map: 'an object',
  schema: 'an object',
  any: 'a value',
}

/** What a field accepts, in words: `a whole number or text`. */
export function wanted(alternatives: readonly Single[]): string {
  const types = alternatives.filter((kind) => isComponentType(kind))
  const others = alternatives.filter((kind) => !isComponentType(kind)).map(inWords)
  return [...new Set([...others, ...(types.length === 0 ? [] : [`a component of type ${listed(types)}`])])].join(' or ')
}

function inWords(kind: Single): string {
  if (typeof kind === 'string') return words[kind] ?? kind
  if ('choice' in kind) return listed(kind.choice)
  return 'list' in kind ? 'a list' : 'an object'
}

/** The value in words; strings are cut, since a manifest may hold a secret by mistake. */
export function found(value: unknown): string {
  if (value === null || value === undefined) return 'empty'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return `\`${value.length > 60 ? `${value.slice(0, 60)}…` : value}\``
  if (typeof value === 'boolean') return `the boolean ${value}`
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float)
    return `the number ${String(value)}`
  return 'an object'
}
