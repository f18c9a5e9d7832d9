/** Tokens → names, literals, and what is in brackets. */
import { spendText } from '../meter.ts'
import type { Expression } from './ast.ts'
import { parseExpression } from './expressions.ts'
import { readString } from './string-escapes.ts'
import type { TokenStream } from './token-stream.ts'

const constants: Record<string, boolean | null> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
}

export function parsePrimary(stream: TokenStream): Expression {
  const token = stream.current
  const { at } = token
  stream.count()
  switch (token.type) {
    case 'name': {
      stream.next()
      if (Object.hasOwn(constants, token.text)) return { kind: 'constant', at, value: constants[token.text] ?? null }
      return { kind: 'name', at, name: token.text }
    }
    case 'string':
      return { kind: 'constant', at, value: parseStrings(stream) }
    case 'number':
      stream.next()
      return { kind: 'constant', at, value: token.value }
    case 'operator':
      if (token.text === '(') return parseBrackets(stream)
      if (token.text === '[') return parseList(stream)
      if (token.text === '{') return parseDict(stream)
  }
  return stream.fail(`expected a value, found ${stream.shown()}`)
}

/** Strings that follow each other are one. */
function parseStrings(stream: TokenStream): string {
  let text = ''
  while (stream.current.type === 'string') {
    const token = stream.next()
    const part = readString(token.text)
    if (part === null) stream.fail('the string has an invalid escape', token.at)
    text += part
  }
  spendText(text.length)
  return text
}

function parseBrackets(stream: TokenStream): Expression {
  stream.next()
  const tuple = parseTuple(stream, { isBracketed: true })
  stream.expectOperator(')')
  return tuple
}

type TupleRules = { isBracketed?: boolean; withCondition?: boolean; endsAt?: readonly string[] }

/** `a, b` is a tuple, `a,` one of a single member, `a` just `a`. */
export function parseTuple(stream: TokenStream, rules: TupleRules = {}): Expression {
  const { isBracketed = false, withCondition = true, endsAt = [] } = rules
  const { at } = stream.current
  const items: Expression[] = []
  let isTuple = false
  for (;;) {
    if (isTupleEnd(stream, endsAt)) break
    items.push(parseExpression(stream, withCondition))
    if (!stream.isOperator(',')) break
    stream.next()
    isTuple = true
  }
  const [only] = items
  if (!isTuple && only !== undefined) return only
  if (items.length === 0 && !isBracketed) stream.fail(`expected a value, found ${stream.shown()}`)
  return { kind: 'tuple', at, items }
}

function isTupleEnd(stream: TokenStream, endsAt: readonly string[]): boolean {
  const { current } = stream
  if (current.type === 'output-end' || current.type === 'tag-end' || stream.isOperator(')')) return true
  return current.type === 'name' && endsAt.includes(current.text)
}

function parseList(stream: TokenStream): Expression {
  const { at } = stream.next()
  const items: Expression[] = []
  while (!stream.isOperator(']')) {
    if (items.length > 0) stream.expectOperator(',')
    if (stream.isOperator(']')) break
    items.push(parseExpression(stream))
  }
  stream.next()
  return { kind: 'list', at, items }
}

function parseDict(stream: TokenStream): Expression {
  const { at } = stream.next()
  const entries: [Expression, Expression][] = []
  while (!stream.isOperator('}')) {
    if (entries.length > 0) stream.expectOperator(',')
    if (stream.isOperator('}')) break
    const key = parseExpression(stream)
    stream.expectOperator(':')
    entries.push([key, parseExpression(stream)])
  }
  stream.next()
  return { kind: 'dict', at, entries }
}
