/** `(a, b, key=c, *d, **e)` → the arguments of a call. */
import type { Arguments, Expression } from './ast.ts'
import { parseExpression } from './expressions.ts'
import type { TokenStream } from './token-stream.ts'

export const noArguments: Arguments = { positional: [], named: [], spread: null, spreadNamed: null }

export function parseArguments(stream: TokenStream): Arguments {
  stream.expectOperator('(')
  const positional: Expression[] = []
  const named: [string, Expression][] = []
  let spread: Expression | null = null
  let spreadNamed: Expression | null = null
  let count = 0
  while (!stream.isOperator(')')) {
    if (count++ > 0) {
      stream.expectOperator(',')
      if (stream.isOperator(')')) break
    }
    if (stream.isOperator('*')) {
      if (spread !== null || spreadNamed !== null) stream.fail('`*` is allowed once, and before `**`')
      stream.next()
      spread = parseExpression(stream)
    } else if (stream.isOperator('**')) {
      if (spreadNamed !== null) stream.fail('`**` is allowed once')
      stream.next()
      spreadNamed = parseExpression(stream)
    } else if (isNamed(stream)) {
      if (spreadNamed !== null) stream.fail('`**` comes last')
      const name = stream.next().text
      stream.next()
      named.push([name, parseExpression(stream)])
    } else {
      if (spread !== null || spreadNamed !== null || named.length > 0) {
        stream.fail('arguments without a name come before those with one')
      }
      positional.push(parseExpression(stream))
    }
  }
  stream.expectOperator(')')
  return { positional, named, spread, spreadNamed }
}

function isNamed({ current, following }: TokenStream): boolean {
  return current.type === 'name' && following.type === 'operator' && following.text === '='
}
