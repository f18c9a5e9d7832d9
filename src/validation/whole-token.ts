/** A template → whether it sends `next_page_token` itself, an object, where the token in it is meant. */
import type { Body, Expression, Statement } from '../engine/template/syntax/ast.ts'
import { parseTemplate } from '../engine/template/syntax/statements.ts'
import { normalise } from '../engine/template/syntax/tokens.ts'

/** @example sendsWholeToken('{{ next_page_token or 0 }}') // true */
export function sendsWholeToken(source: string): boolean {
  return parseTemplate(normalise(source)).some(writesToken)
}

function writesToken(statement: Statement): boolean {
  switch (statement.kind) {
    case 'output':
      return isToken(statement.value)
    case 'if':
    case 'for':
      return anyWrites(statement.body) || anyWrites(statement.otherwise)
    default:
      return false
  }
}

function anyWrites(body: Body): boolean {
  return body.some(writesToken)
}

/** Filters that leave an object an object, or print it. */
const passing = new Set(['default', 'd', 'string', 'trim', 'urlencode'])

/** Whether the value may be the object itself. Asking whether there is one (`if next_page_token`) is fine. */
function isToken(value: Expression): boolean {
  switch (value.kind) {
    case 'name':
      return value.name === 'next_page_token'
    case 'or':
      return isToken(value.left) || isToken(value.right)
    case 'and':
      return isToken(value.right)
    case 'condition':
      return isToken(value.yes) || (value.no !== null && isToken(value.no))
    case 'concat':
      return value.parts.some(isToken)
    case 'filter':
      return passing.has(value.name) && isToken(value.input)
    default:
      return false
  }
}
