/** What is left of `=` in `{% set %}`, or before `in` in `{% for %}`. */
import type { Target } from './ast.ts'
import type { TokenStream } from './token-stream.ts'

const reserved = ['true', 'True', 'false', 'False', 'none', 'None']

export function parseTarget(stream: TokenStream, endsAt: readonly string[]): Target {
  const items: Target[] = []
  let isTuple = false
  while (stream.current.type === 'name' || stream.isOperator('(')) {
    if (stream.current.type === 'name' && endsAt.includes(stream.current.text)) break
    items.push(parseOne(stream))
    if (!stream.skipOperator(',')) break
    isTuple = true
  }
  const [only] = items
  if (only === undefined) stream.fail(`expected a name, found ${stream.shown()}`)
  return isTuple ? { kind: 'tuple', items } : only
}

function parseOne(stream: TokenStream): Target {
  if (stream.skipOperator('(')) {
    const inner = stream.nested(() => parseTarget(stream, []))
    stream.expectOperator(')')
    return inner
  }
  const { at } = stream.current
  const name = stream.expectName('a name')
  if (reserved.includes(name)) stream.fail(`\`${name}\` cannot be set`, at)
  if (!stream.skipOperator('.')) return { kind: 'name', name }
  return { kind: 'attribute', name, attribute: stream.expectName('a name') }
}
