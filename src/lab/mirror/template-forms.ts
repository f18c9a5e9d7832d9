/** A template that only a request can evaluate → the forms its text may take, with a mark where anything may stand. */
import type { Body, Expression, Statement } from '../../engine/template/syntax/ast.ts'
import { parseTemplate } from '../../engine/template/syntax/statements.ts'
import { normalise } from '../../engine/template/syntax/tokens.ts'
import { evaluate } from './evaluate.ts'
import { pythonText } from '../../engine/template/text.ts'

/** Stands for any text. */
export const anything = '\u0000'

const maxForms = 16
const expression = /\{\{.*?\}\}/gs

/** `{{ 'me' if own else 'users/' ~ id }}` has two: `me`, and `users/` with anything after it. */
export function formsOf(template: string, scope: Record<string, unknown>): string[] {
  const whole = attempt(template, scope)
  if (whole !== null) return [whole]
  const known = template.replaceAll(expression, (part) => attempt(part, scope) ?? part)
  try {
    return formsOfBody(parseTemplate(normalise(known)))
  } catch {
    return [known.replaceAll(expression, anything)]
  }
}

function attempt(template: string, scope: Record<string, unknown>): string | null {
  try {
    return pythonText(evaluate(template, scope))
  } catch {
    return null
  }
}

function formsOfBody(body: Body): string[] {
  return body.map(formsOfStatement).reduce(joined, [''])
}

function formsOfStatement(statement: Statement): string[] {
  switch (statement.kind) {
    case 'text':
      return [statement.text]
    case 'output':
      return formsOfExpression(statement.value)
    case 'if':
      return [...formsOfBody(statement.body), ...formsOfBody(statement.otherwise)]
    case 'set':
      return ['']
    default:
      return [anything]
  }
}

function formsOfExpression(node: Expression): string[] {
  switch (node.kind) {
    case 'constant':
      return [typeof node.value === 'string' ? node.value : anything]
    case 'concat':
      return node.parts.map(formsOfExpression).reduce(joined, [''])
    case 'binary':
      return node.operator === '+' ? joined(formsOfExpression(node.left), formsOfExpression(node.right)) : [anything]
    case 'condition':
      return [...formsOfExpression(node.yes), ...(node.no === null ? [''] : formsOfExpression(node.no))]
    default:
      return [anything]
  }
}

function joined(left: readonly string[], right: readonly string[]): string[] {
  return left.flatMap((one) => right.map((other) => one + other)).slice(0, maxForms)
}
