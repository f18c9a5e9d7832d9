/** A template × two scopes that differ in some values only → every text in it that comes out differently. */
import { isList, isObject } from '../../std/values/objects.ts'
import { compileExpression } from './compile/expressions.ts'
import { restoreMeter, startMeter } from './meter.ts'
import { plainValue } from './plain-value.ts'
import { TemplateRun } from './template-run.ts'
import type { Scope } from './scope.ts'
import type { Expression } from './syntax/ast.ts'
import { namesOf } from './syntax/names.ts'
import { parseTemplate } from './syntax/statements.ts'
import { normalise } from './syntax/tokens.ts'
import { compileTemplate } from './template.ts'

/**
 * What is made of a value shows by changing the value: each part of the template (`config.key`, `config.key[:8]`,
 * `config.key[:8] | upper`) is evaluated with both. Parts that need more than the scopes have are passed over.
 *
 * @example differingTexts('{{ config.key[:8] }}', { config: { key: 'abcdefghij' } }, { config: { key: 'bcdefghijk' } }) // abcdefghij, abcdefgh
 */
export function differingTexts(source: string, scope: Scope, other: Scope): Set<string> {
  const found = new Set<string>()
  const compare = (evaluate: (scope: Scope) => unknown) => {
    const [one, two] = [attempt(evaluate, scope), attempt(evaluate, other)]
    if (one !== undefined) collect(one, two, found)
  }
  for (const expression of expressionsIn(source)) {
    const { read, set } = namesOf([{ kind: 'output', at: expression.at, value: expression }])
    if (![...read].some((name) => Object.hasOwn(scope, name))) continue
    const evaluate = attempt((known) => compileExpression(expression, known), set)
    if (evaluate !== undefined) compare((given) => plainValue(evaluate(new TemplateRun(given, new Map()))))
  }
  // Variables of the template's own are known only to the whole.
  compare((given) => compileTemplate(source).render(given))
  return found
}

/** One meter for each evaluation; whatever fails makes nothing. */
function attempt<Input, Result>(work: (input: Input) => Result, input: Input): Result | undefined {
  const before = startMeter()
  try {
    return work(input)
  } catch {
    return undefined
  } finally {
    restoreMeter(before)
  }
}

/** Enough for any real template; a hostile one has its first parts compared. */
const mostExpressions = 200

/** The parsed template is plain data: expressions are the nodes that a statement, or another expression, holds. */
function expressionsIn(source: string): readonly Expression[] {
  const body = attempt((text) => parseTemplate(normalise(text)), source) ?? []
  const found: Expression[] = []
  const left: unknown[] = [body]
  while (left.length > 0 && found.length < mostExpressions) {
    const node = left.shift()
    if (isList(node)) left.push(...node)
    else if (isObject(node)) {
      if (typeof node.kind === 'string' && computed.has(node.kind)) found.push(node as Expression)
      left.push(...Object.values(node))
    }
  }
  return found
}

/** Kinds of expressions that make a value of others; constants, and answers of yes or no, make none. */
const computed = new Set<string>([
  'name',
  'attribute',
  'item',
  'slice',
  'call',
  'filter',
  'or',
  'and',
  'binary',
  'concat',
  'condition',
  'list',
  'tuple',
  'dict',
] satisfies Expression['kind'][])

function collect(one: unknown, other: unknown, found: Set<string>): void {
  if (typeof one === 'string' || typeof one === 'number' || typeof one === 'bigint') {
    if (one !== other) found.add(String(one))
  } else if (isList(one)) {
    one.forEach((member, index) => collect(member, isList(other) ? other[index] : undefined, found))
  } else if (isObject(one)) {
    for (const [name, member] of Object.entries(one)) collect(member, isObject(other) ? other[name] : undefined, found)
  }
}
