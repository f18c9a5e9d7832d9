/** The stop condition is met on the first page although more pages follow: it may be inverted. */
import { isSamePlace, placeName } from '../../claims/response-place.ts'
import { declaredPlacesOf } from '../../claims/declared/declared-places.ts'
import type { Case, Hypothesis } from '../case.ts'
import type { Evidence, Finding } from '../diagnosis.ts'
import { seen, withoutFix } from '../cause.ts'
import { set } from '../manifest-place.ts'
import { namedClaims } from '../named-claims.ts'
import type { PageSummary } from '../page-summary.ts'
import { continues } from '../trial.ts'
import { opposite } from '../../claims/declared/conditions.ts'
import type { Comparison, Expression } from '../../../engine/template/syntax/ast.ts'
import { pathRead } from '../../../engine/template/syntax/path.ts'
import { parseTemplate } from '../../../engine/template/syntax/statements.ts'
import { normalise } from '../../../engine/template/syntax/tokens.ts'

type Inverted = {
  /** The opposite condition, to be read to its end; null where it cannot be written. */
  readonly hypothesis: Hypothesis | null
  /** What is reported where it cannot be tried; null where it is a guess. */
  readonly said: Finding | null
}

/** Null where the condition is not met on the first page, or rightly. */
export function invertedStop(subject: Case): Inverted | null {
  const { pagination, pages, receipt, place, read } = subject
  const [first, ...others] = pages
  if (pagination.kind !== 'cursor' || pagination.stopWhen === null || first === undefined) return null
  const stopsAtOnce = receipt?.stop === 'stop-condition' && others.length === 0 && first.received > 0
  if (!stopsAtOnce || read.rules.mayStopEarly || !readsResponse(pagination.stopWhen)) return null
  const doubt = doubtIn(subject, first)
  if (doubt === null) return null
  const condition = pagination.stopWhen.source.trim()
  const right = negated(condition)
  const says = `The stop condition \`${condition}\` is inverted: it is true on page 1, although more pages follow.`
  const hypothesis: Hypothesis | null =
    place === null || right === null
      ? null
      : {
          code: 'missing/stop-inverted',
          why: 'whether more pages follow with the opposite stop condition',
          says,
          evidence: doubt.evidence,
          fix: {
            says: `Negate the stop condition: \`${right}\`.`,
            edits: set(place.strategy, { stop_condition: right }),
          },
          shortRead: 0,
          // The condition itself must end the read: one that is never met was not inverted.
          isShownBy: (after) =>
            continues(subject, after) && (after.isCut || after.pages.at(-1)?.stop === 'stop-condition'),
        }
  const advice =
    `${subject.whyNot} Stop where the flag says that no page follows, not where it says that one does.`.trim()
  const said = withoutFix({ code: 'missing/stop-inverted', fault: 'manifest', says, evidence: doubt.evidence, advice })
  return { hypothesis, said: doubt.isOfCondition ? said : null }
}

/** A condition on the number of records has a wrong number, not a wrong sign. */
function readsResponse({ names, source }: { readonly names: ReadonlySet<string>; readonly source: string }): boolean {
  const isOfSize = names.has('last_page_size') || /\|\s*(length|count)\b/.test(source)
  return !isOfSize && (names.has('response') || names.has('headers'))
}

type Doubt = {
  readonly evidence: readonly Evidence[]
  /** The condition reads the very value by which the API says that more follows. */
  readonly isOfCondition: boolean
}

/** Null where what the API says, by name, agrees with the end. */
function doubtIn({ read, pagination, receipt }: Case, first: PageSummary): Doubt | null {
  const { nexts, numbers } = namedClaims(first, read.rules.recordPath)
  const more = nexts.find(({ says }) => says === 'more')
  const total = numbers.find(({ counts, isNamed }) => counts === 'records' && isNamed)
  const isMet = total?.value === first.received && !read.rules.isSliced
  if (more !== undefined && !isMet) {
    const declared = declaredPlacesOf(pagination, read.rules.recordPath)
    const isOfCondition = more.kind === 'flag' && declared.some(({ place }) => isSamePlace(place, more.place))
    return {
      evidence: [seen(`Page 1 says that another one follows (${placeName(more.place)}).`, first)],
      isOfCondition,
    }
  }
  const isEnd = nexts.some(({ says }) => says === 'end')
  if (isMet || isEnd) return null
  const counted = total !== undefined && total.value > first.received
  const words = counted
    ? `The API counts ${total.value} records (${placeName(total.place)}), and page 1 has ${first.received}.`
    : `The read ends after page 1: ${receipt?.reason ?? 'the stop condition is met'}.`
  return { evidence: [seen(words, first)], isOfCondition: false }
}

/**
 * Null for a template that is more than one expression.
 *
 * @example negated('{{ response.next is not none }}') // '{{ response.next is none }}'
 */
function negated(source: string): string | null {
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
