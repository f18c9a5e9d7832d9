/** `| name(arguments)` and `is name argument` → expressions. */
import { noArguments, parseArguments } from './arguments.ts'
import type { Arguments, Expression, FilterCall } from './ast.ts'
import { parsePostfix } from './expressions.ts'
import { parsePrimary } from './primaries.ts'
import type { TokenStream } from './token-stream.ts'

/** What follows `|`. */
export function parseFilterCall(stream: TokenStream): FilterCall {
  const { at } = stream.current
  const name = dottedName(stream, 'the name of a filter')
  return { name, args: stream.isOperator('(') ? parseArguments(stream) : noArguments, at }
}

export function parseFilter(stream: TokenStream, input: Expression): Expression {
  return { kind: 'filter', input, ...parseFilterCall(stream) }
}

/** What follows `is`. */
export function parseTest(stream: TokenStream, input: Expression): Expression {
  const { at } = stream.current
  const isNegated = stream.skipName('not')
  const name = dottedName(stream, 'the name of a test')
  const test: Expression = { kind: 'test', at, name, input, args: testArguments(stream) }
  return isNegated ? { kind: 'not', at, operand: test } : test
}

/** A test takes arguments in brackets, or one without: `is divisibleby 3`. */
function testArguments(stream: TokenStream): Arguments {
  if (stream.isOperator('(')) return parseArguments(stream)
  const { current } = stream
  const startsValue =
    current.type === 'number' ||
    current.type === 'string' ||
    (current.type === 'name' && !['else', 'or', 'and'].includes(current.text)) ||
    stream.isOperator('[') ||
    stream.isOperator('{')
  if (!startsValue) return noArguments
  if (stream.isName('is')) stream.fail('tests cannot be chained; join them with `and`')
  return { ...noArguments, positional: [parsePostfix(stream, parsePrimary(stream))] }
}

function dottedName(stream: TokenStream, what: string): string {
  let name = stream.expectName(what)
  while (stream.skipOperator('.')) name += `.${stream.expectName(what)}`
  return name
}
