/** Tokens → expressions, by the grammar and the precedences of Jinja2. */
import type { Operator } from '../values/arithmetic.ts'
import { parseArguments } from './arguments.ts'
import type { Comparison, Expression } from './ast.ts'
import { parseFilter, parseTest } from './filters-and-tests.ts'
import { parsePrimary } from './primaries.ts'
import type { TokenStream } from './token-stream.ts'

/** An expression; with `{{ a if b else c }}` unless the place forbids it. */
export function parseExpression(stream: TokenStream, withCondition = true): Expression {
  return stream.nested(() => (withCondition ? parseCondition(stream) : parseOr(stream)))
}

function parseCondition(stream: TokenStream): Expression {
  let left = parseOr(stream)
  for (let link = 0; stream.isName('if'); link++) {
    const { at } = stream.next()
    const test = parseOr(stream)
    const no = stream.skipName('else') ? parseExpression(stream) : null
    stream.count(link)
    left = { kind: 'condition', at, test, yes: left, no }
  }
  return left
}

function parseOr(stream: TokenStream): Expression {
  let left = parseAnd(stream)
  for (let link = 0; stream.isName('or'); link++) {
    const { at } = stream.next()
    stream.count(link)
    left = { kind: 'or', at, left, right: parseAnd(stream) }
  }
  return left
}

function parseAnd(stream: TokenStream): Expression {
  let left = parseNot(stream)
  for (let link = 0; stream.isName('and'); link++) {
    const { at } = stream.next()
    stream.count(link)
    left = { kind: 'and', at, left, right: parseNot(stream) }
  }
  return left
}

function parseNot(stream: TokenStream): Expression {
  if (!stream.isName('not')) return parseComparison(stream)
  const { at } = stream.next()
  return { kind: 'not', at, operand: stream.nested(() => parseNot(stream)) }
}

function parseComparison(stream: TokenStream): Expression {
  const { at } = stream.current
  const first = parseSum(stream)
  const rest: { operator: Comparison; operand: Expression }[] = []
  for (let operator = comparison(stream); operator !== null; operator = comparison(stream)) {
    stream.count()
    rest.push({ operator, operand: parseSum(stream) })
  }
  return rest.length === 0 ? first : { kind: 'compare', at, first, rest }
}

const comparisons: readonly string[] = ['==', '!=', '<', '<=', '>', '>='] satisfies Comparison[]

function comparison(stream: TokenStream): Comparison | null {
  if (stream.current.type === 'operator' && comparisons.includes(stream.current.text)) {
    return stream.next().text as Comparison
  }
  if (stream.skipName('in')) return 'in'
  const { following } = stream
  if (!stream.isName('not') || following.type !== 'name' || following.text !== 'in') return null
  stream.next()
  stream.next()
  return 'not in'
}

/** One level of left-associative operators. */
function parseChain(
  stream: TokenStream,
  signs: readonly Operator[],
  parseOperand: (stream: TokenStream) => Expression,
): Expression {
  let left = parseOperand(stream)
  for (let link = 0; stream.current.type === 'operator'; link++) {
    const operator = signs.find((sign) => sign === stream.current.text)
    if (operator === undefined) break
    const { at } = stream.next()
    stream.count(link)
    left = { kind: 'binary', at, operator, left, right: parseOperand(stream) }
  }
  return left
}

function parseSum(stream: TokenStream): Expression {
  return parseChain(stream, ['+', '-'], parseConcat)
}

function parseConcat(stream: TokenStream): Expression {
  const { at } = stream.current
  const parts = [parseProduct(stream)]
  while (stream.skipOperator('~')) {
    stream.count()
    parts.push(parseProduct(stream))
  }
  return parts.length === 1 ? (parts[0] as Expression) : { kind: 'concat', at, parts }
}

function parseProduct(stream: TokenStream): Expression {
  return parseChain(stream, ['*', '/', '//', '%'], parsePower)
}

// Jinja: `**` binds from the left, and looser than the sign before it.
function parsePower(stream: TokenStream): Expression {
  return parseChain(stream, ['**'], (inner) => parseUnary(inner, true))
}

function parseUnary(stream: TokenStream, withFilter: boolean): Expression {
  const { at } = stream.current
  if (!stream.isOperator('-') && !stream.isOperator('+')) {
    const primary = parsePostfix(stream, parsePrimary(stream))
    return withFilter ? parseFilters(stream, primary) : primary
  }
  const operator = stream.next().text === '-' ? '-' : '+'
  const operand = stream.nested(() => parseUnary(stream, false))
  const signed = parsePostfix(stream, { kind: 'sign', at, operator, operand })
  return withFilter ? parseFilters(stream, signed) : signed
}

/** `.name`, `[key]`, `(arguments)` */
export function parsePostfix(stream: TokenStream, start: Expression): Expression {
  let node = start
  for (let link = 0; stream.current.type === 'operator'; link++) {
    stream.count(link)
    if (stream.isOperator('.')) node = parseAttribute(stream, node)
    else if (stream.isOperator('[')) node = parseItem(stream, node)
    else if (stream.isOperator('('))
      node = { kind: 'call', at: stream.current.at, callee: node, args: parseArguments(stream) }
    else break
  }
  return node
}

function parseAttribute(stream: TokenStream, of: Expression): Expression {
  stream.next()
  const token = stream.next()
  if (token.type === 'name') return { kind: 'attribute', at: token.at, of, name: token.text }
  if (token.type === 'number' && !token.text.includes('.')) {
    return { kind: 'item', at: token.at, of, key: { kind: 'constant', at: token.at, value: token.value } }
  }
  return stream.fail('expected a name after `.`', token.at)
}

function parseItem(stream: TokenStream, of: Expression): Expression {
  const { at } = stream.next()
  const keys: Expression[] = []
  while (!stream.isOperator(']')) {
    if (keys.length > 0) stream.expectOperator(',')
    if (keys.length === 0 && stream.isOperator(':')) return parseSlice(stream, of, null, at)
    const key = parseExpression(stream)
    if (keys.length === 0 && stream.isOperator(':')) return parseSlice(stream, of, key, at)
    keys.push(key)
  }
  if (keys.length === 0) stream.fail('expected a key between `[` and `]`')
  stream.next()
  const key = keys.length === 1 ? (keys[0] as Expression) : ({ kind: 'tuple', at, items: keys } as const)
  return { kind: 'item', at, of, key }
}

function parseSlice(stream: TokenStream, of: Expression, start: Expression | null, at: number): Expression {
  const bound = () => (stream.isOperator(':') || stream.isOperator(']') ? null : parseExpression(stream))
  stream.expectOperator(':')
  const stop = bound()
  const step = stream.skipOperator(':') ? bound() : null
  stream.expectOperator(']')
  return { kind: 'slice', at, of, start, stop, step }
}

/** `| filter`, `is test`, and calls of their results. */
function parseFilters(stream: TokenStream, start: Expression): Expression {
  let node = start
  for (let link = 0; ; link++) {
    stream.count(link)
    if (stream.isOperator('|')) {
      stream.next()
      node = parseFilter(stream, node)
    } else if (stream.isName('is')) {
      stream.next()
      node = parseTest(stream, node)
    } else if (stream.isOperator('(')) {
      node = { kind: 'call', at: stream.current.at, callee: node, args: parseArguments(stream) }
    } else return node
  }
}
