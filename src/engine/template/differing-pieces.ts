/** A template × two scopes that differ in secrets only → the pieces of its output that come out differently. */
import { isList, isObject } from '../../std/values/objects.ts'
import { compileExpression } from './compile/expressions.ts'
import { globals } from './globals.ts'
import { restoreMeter, startMeter } from './meter.ts'
import { plainValue } from './plain-value.ts'
import { TemplateRun } from './template-run.ts'
import type { Scope } from './scope.ts'
import type { Expression } from './syntax/ast.ts'
import { namesOf } from './syntax/names.ts'
import { parseTemplate } from './syntax/statements.ts'
import { normalise } from './syntax/tokens.ts'
import { compileTemplate } from './template.ts'

export type Pieces = {
  /** As they are in the output, of any length. */
  readonly texts: ReadonlySet<string>
  /** Something else is made of a piece together with what is known only later: how it will read is unknown. */
  readonly isOpaque: boolean
}

/**
 * Evaluates each output as a whole, with both scopes. One that needs more than the scopes have (a slice, a page token)
 * is taken apart until its parts can be evaluated.
 *
 * @example differingPieces('{{ config.key[:2] }}/{{ stream_slice.id }}', { config: { key: 'abc' } }, { config: { key: 'bcd' } }) // texts: ab
 */
export function differingPieces(source: string, scope: Scope, other: Scope): Pieces {
  const texts = new Set<string>()
  let isOpaque = false
  const body = attempt(() => parseTemplate(normalise(source))) ?? []
  const whole = wholeOf(source, scope, other)
  if (whole !== null && whole[0] === whole[1]) return { texts, isOpaque }
  const chosen = constantsIn(body)

  let left = mostExpressions
  const visit = (expression: Expression, isVerbatim: boolean): void => {
    if (left-- <= 0) {
      isOpaque = true
      return
    }
    const values = evaluated(expression, scope, other)
    if (values === null) {
      const keeps = isVerbatim && joining.has(expression.kind)
      for (const part of partsOf(expression)) visit(part, keeps)
      return
    }
    const [text, turned] = values.map(textOf)
    // What the template spells out was only chosen by a secret.
    if (text === turned || text === null || text === undefined || text === '' || chosen.has(text)) return
    if (isVerbatim) texts.add(text)
    else isOpaque = true
  }
  for (const output of outputsIn(body)) visit(output, true)
  // Variables of the template's own are known only to the whole.
  if (whole !== null && texts.size === 0 && !isOpaque && !chosen.has(whole[0])) texts.add(whole[0])
  return { texts, isOpaque }
}

/** Whatever fails makes nothing; a meter for each evaluation bounds it. */
function attempt<Result>(work: () => Result): Result | undefined {
  const before = startMeter()
  try {
    return work()
  } catch {
    return undefined
  } finally {
    restoreMeter(before)
  }
}

/** Null where the scopes do not have all that it needs. */
function bothOf<Result>(evaluate: (scope: Scope) => Result, scope: Scope, other: Scope): [Result, Result] | null {
  const one = attempt(() => [evaluate(scope)] as const)
  const two = attempt(() => [evaluate(other)] as const)
  return one === undefined || two === undefined ? null : [one[0], two[0]]
}

function wholeOf(source: string, scope: Scope, other: Scope): [string, string] | null {
  const template = attempt(() => compileTemplate(source))
  if (template === undefined || ![...template.names].every((name) => isKnown(name, scope))) return null
  return bothOf((given) => template.render(given), scope, other)
}

function evaluated(expression: Expression, scope: Scope, other: Scope): [unknown, unknown] | null {
  const { read, set } = namesOf([{ kind: 'output', at: expression.at, value: expression }])
  // A name that comes later is undefined here, and undefined prints as nothing.
  if (![...read].every((name) => isKnown(name, scope))) return null
  const evaluate = attempt(() => compileExpression(expression, set))
  return evaluate === undefined
    ? null
    : bothOf((given) => plainValue(evaluate(new TemplateRun(given, new Map()))), scope, other)
}

function isKnown(name: string, scope: Scope): boolean {
  return Object.hasOwn(scope, name) || globals.has(name)
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : null
}

/** Kinds that print their parts as they are. */
const joining = new Set<string>(['concat', 'binary', 'or', 'and', 'condition'] satisfies Expression['kind'][])

/** What an expression holds directly. */
function partsOf(expression: Expression): Expression[] {
  return Object.values(expression).flatMap(nearestIn)
}

function nearestIn(node: unknown): Expression[] {
  if (isList(node)) return node.flatMap(nearestIn)
  if (!isObject(node)) return []
  return typeof node.kind === 'string' && 'at' in node ? [node as Expression] : Object.values(node).flatMap(nearestIn)
}

/** Enough for any real template; what is left of a longer one is taken for a secret. */
const mostExpressions = 100
const mostNodes = 2000

/** The parsed template is plain data: outputs, and what variables are set to. */
function outputsIn(body: unknown): Expression[] {
  return nodesIn(body).flatMap((node) =>
    node.kind === 'output' || node.kind === 'set' ? [node.value as Expression] : [],
  )
}

function constantsIn(body: unknown): ReadonlySet<unknown> {
  return new Set(nodesIn(body).flatMap((node) => (node.kind === 'constant' ? [node.value] : [])))
}

function nodesIn(body: unknown): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = []
  const left: unknown[] = [body]
  while (left.length > 0 && found.length < mostNodes) {
    const node = left.shift()
    if (isList(node)) left.push(...node)
    else if (isObject(node)) {
      found.push(node)
      left.push(...Object.values(node))
    }
  }
  return found
}
