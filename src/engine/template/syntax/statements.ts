/** Tokens → the statements of a template. */
import { parseArguments } from './arguments.ts'
import type { Body, Expression, FilterCall, Statement, Target } from './ast.ts'
import { parseExpression } from './expressions.ts'
import { parseFilterCall } from './filters-and-tests.ts'
import { parseTuple } from './primaries.ts'
import { parseTarget } from './targets.ts'
import { TokenStream } from './token-stream.ts'
import { tokenize } from './tokens.ts'

/** A template's text, newlines already normalised → its statements. Throws SyntaxTrouble. */
export function parseTemplate(source: string): Body {
  const stream = new TokenStream(tokenize(source))
  const body = parseBody(stream, [])
  if (stream.current.type !== 'end') stream.fail(`${stream.shown()} closes nothing`)
  return body
}

/** Statements up to the end, or to a tag with one of the names; that tag's name is the current token. */
function parseBody(stream: TokenStream, ends: readonly string[]): Statement[] {
  const body: Statement[] = []
  for (;;) {
    const token = stream.current
    stream.count()
    if (token.type === 'text') {
      stream.next()
      body.push({ kind: 'text', at: token.at, text: token.text })
    } else if (token.type === 'output-start') {
      stream.next()
      body.push({ kind: 'output', at: token.at, value: parseTuple(stream) })
      stream.expectType('output-end', '`}}`')
    } else if (token.type === 'tag-start') {
      stream.next()
      if (stream.current.type === 'name' && ends.includes(stream.current.text)) return body
      body.push(stream.nested(() => parseTag(stream)))
      stream.expectType('tag-end', '`%}`')
    } else {
      if (ends.length > 0) stream.fail(`\`{% ${ends.at(-1)} %}\` is missing`)
      return body
    }
  }
}

/** The inside of a block: what follows its opening tag, up to its closing one. */
function parseBlock(stream: TokenStream, ends: readonly string[]): Body {
  stream.skipOperator(':')
  stream.expectType('tag-end', '`%}`')
  return parseBody(stream, ends)
}

function parseTag(stream: TokenStream): Statement {
  const { at } = stream.current
  const name = stream.expectName('the name of a tag')
  switch (name) {
    case 'if':
      return parseIf(stream, at)
    case 'for':
      return parseFor(stream, at)
    case 'set':
      return parseSet(stream, at)
    case 'with':
      return parseWith(stream, at)
    case 'print':
      return { kind: 'output', at, value: parseTuple(stream) }
    case 'macro':
      return parseMacro(stream, at)
    case 'filter': {
      const filters = parseFilterChain(stream)
      return { kind: 'filter-block', at, filters, body: closed(stream, 'endfilter') }
    }
    case 'block':
      stream.expectName('the name of a block')
      return { kind: 'block', at, body: closedNamed(stream, 'endblock') }
    case 'call':
    case 'include':
    case 'import':
    case 'from':
    case 'extends':
    case 'autoescape':
      return stream.fail(`templates here have no \`{% ${name} %}\``, at)
    default:
      return stream.fail(`there is no tag \`${name}\``, at)
  }
}

function closed(stream: TokenStream, end: string): Body {
  const body = parseBlock(stream, [end])
  stream.next()
  return body
}

/** `{% endblock name %}` may repeat the name. */
function closedNamed(stream: TokenStream, end: string): Body {
  const body = closed(stream, end)
  if (stream.current.type === 'name') stream.next()
  return body
}

function parseIf(stream: TokenStream, at: number): Statement {
  const test = parseTuple(stream, { withCondition: false })
  const body = parseBlock(stream, ['elif', 'else', 'endif'])
  const end = stream.next()
  if (end.text === 'endif') return { kind: 'if', at, test, body, otherwise: [] }
  if (end.text === 'elif')
    return { kind: 'if', at, test, body, otherwise: [stream.nested(() => parseIf(stream, end.at))] }
  return { kind: 'if', at, test, body, otherwise: closed(stream, 'endif') }
}

function parseFor(stream: TokenStream, at: number): Statement {
  const target = parseTarget(stream, ['in'])
  if (!stream.skipName('in')) stream.fail(`expected \`in\`, found ${stream.shown()}`)
  const over = parseTuple(stream, { withCondition: false, endsAt: ['recursive'] })
  const test = stream.skipName('if') ? parseExpression(stream) : null
  const isRecursive = stream.skipName('recursive')
  const body = parseBlock(stream, ['endfor', 'else'])
  const otherwise = stream.next().text === 'else' ? closed(stream, 'endfor') : []
  return { kind: 'for', at, target, over, test, isRecursive, body, otherwise }
}

function parseSet(stream: TokenStream, at: number): Statement {
  const target = parseTarget(stream, [])
  if (stream.skipOperator('=')) return { kind: 'set', at, target, value: parseTuple(stream) }
  const filters = stream.skipOperator('|') ? parseFilterChain(stream) : []
  return { kind: 'set-block', at, target, filters, body: closed(stream, 'endset') }
}

function parseFilterChain(stream: TokenStream): FilterCall[] {
  const filters = [parseFilterCall(stream)]
  while (stream.skipOperator('|')) filters.push(parseFilterCall(stream))
  return filters
}

function parseWith(stream: TokenStream, at: number): Statement {
  const targets: [Target, Expression][] = []
  while (stream.current.type !== 'tag-end') {
    if (targets.length > 0) stream.expectOperator(',')
    const target = parseTarget(stream, [])
    stream.expectOperator('=')
    targets.push([target, parseExpression(stream)])
  }
  return { kind: 'with', at, targets, body: closed(stream, 'endwith') }
}

function parseMacro(stream: TokenStream, at: number): Statement {
  const name = stream.expectName('the name of a macro')
  // The parameters read like a call whose arguments are names, or names with defaults.
  const { positional, named, spread, spreadNamed } = parseArguments(stream)
  if (spread !== null || spreadNamed !== null) stream.fail('a macro takes named parameters only', at)
  const plain = positional.map((parameter): [string, Expression | null] =>
    parameter.kind === 'name' ? [parameter.name, null] : stream.fail('a parameter is a name', parameter.at),
  )
  return { kind: 'macro', at, name, parameters: [...plain, ...named], body: closedNamed(stream, 'endmacro') }
}
