/** The template of a condition → the same condition with the opposite meaning, as its author would write it. */
import { opposite } from '../claims/declared/conditions.ts'
import type { Comparison, Expression } from '../../engine/template/syntax/ast.ts'
import { pathRead } from '../../engine/template/syntax/path.ts'
import { parseTemplate } from '../../engine/template/syntax/statements.ts'
import { normalise } from '../../engine/template/syntax/tokens.ts'

/**
 * Null for a template that is more than one expression.
 *
 * @example negated('{{ response.next is not none }}') // '{{ response.next is none }}'
 */
export function negated(source: string): string | null {
  const [, words] = /^\s*\{\{-?\s*(.*?)\s*-?\}\}\s*$/s.exec(source) ?? []
  const parsed = words === undefined ? null : expressionIn(words)
  if (words === undefined || parsed === null) return null
  const shorter = withoutNot(words, parsed) ?? withOtherOperator(words, parsed) ?? withTestNegated(words, parsed)
  const plain = pathRead(parsed) !== null && !/\s(or|and|if)\s/.test(words)
  return `{{ ${shorter ?? (plain ? `not ${words}` : `not (${words})`)} }}`
}

function expressionIn(words: string): Expression | null {
  try {
    const [only, ...others] = parseTemplate(normalise(`{{ ${words} }}`))
    return only?.kind === 'output' && others.length === 0 ? only.value : null
  } catch {
    return null
  }
}

/** `not x` → `x`, `x is not none` → `x is none` */
function withoutNot(words: string, parsed: Expression): string | null {
  if (parsed.kind !== 'not') return null
  const isFirst = /^not\b\s*/.exec(words)
  const rest = isFirst === null ? words.replace(/^(.*\s)is\s+not\s+/s, '$1is ') : words.slice(isFirst[0].length)
  const inner = /^\((.*)\)$/s.exec(rest)?.[1]
  const found = [inner, rest].find((one) => one !== undefined && isSame(expressionIn(one), parsed.operand))
  return found?.trim() ?? null
}

/** `x == true` → `x != true`, `'next' in x` → `'next' not in x` */
function withOtherOperator(words: string, parsed: Expression): string | null {
  if (parsed.kind !== 'compare' || parsed.rest.length !== 1) return null
  const [{ operator, operand }] = parsed.rest as [(typeof parsed.rest)[number]]
  const other = opposite[operator]
  const places = [...words.matchAll(spelled(operator))]
  // The same characters may be inside a string: only one place makes the opposite of the whole.
  return (
    places
      .map(({ index, 0: text }) => words.slice(0, index) + other + words.slice(index + text.length))
      .find((changed) => {
        const now = expressionIn(changed)
        const only = now?.kind === 'compare' && now.rest.length === 1 ? now.rest[0] : undefined
        return (
          only?.operator === other &&
          now?.kind === 'compare' &&
          isSame(now.first, parsed.first) &&
          isSame(only.operand, operand)
        )
      }) ?? null
  )
}

function spelled(operator: Comparison): RegExp {
  return operator === 'in' || operator === 'not in'
    ? new RegExp(`\\b${operator.replace(' ', '\\s+')}\\b`, 'g')
    : new RegExp(`(?<![<>=!])${operator}(?!=)`, 'g')
}

/** `x is none` → `x is not none` */
function withTestNegated(words: string, parsed: Expression): string | null {
  if (parsed.kind !== 'test') return null
  const changed = words.replace(/^(.*\s)is\s+/s, '$1is not ')
  const now = expressionIn(changed)
  return now?.kind === 'not' && isSame(now.operand, parsed) ? changed : null
}

function isSame(one: Expression | null, other: Expression): boolean {
  return one !== null && shape(one) === shape(other)
}

/** Without where it is written. */
function shape(expression: Expression): string {
  return JSON.stringify(expression, (key, value: unknown) =>
    key === 'at' ? undefined : typeof value === 'bigint' ? String(value) : value,
  )
}
