/** `a < b <= c`, `x in y` → closures; a chain stops at the first that is false. */
import { spend } from '../meter.ts'
import type { Comparison, Expression } from '../syntax/ast.ts'
import { compare, contains, equals } from '../values/equality.ts'
import type { Value } from '../values/value.ts'
import { compileExpression, type Evaluate, type Names } from './expressions.ts'

export function compileComparison(node: Expression & { kind: 'compare' }, names: Names): Evaluate {
  const first = compileExpression(node.first, names)
  const rest = node.rest.map(({ operator, operand }) => ({
    holds: relation(operator),
    operand: compileExpression(operand, names),
  }))
  return (run) => {
    let left = first(run)
    for (const { holds, operand } of rest) {
      const right = operand(run)
      run.at = node.at
      spend(0.1)
      if (!holds(left, right)) return false
      left = right
    }
    return true
  }
}

function relation(operator: Comparison): (left: Value, right: Value) => boolean {
  switch (operator) {
    case '==':
      return (left, right) => equals(left, right)
    case '!=':
      return (left, right) => !equals(left, right)
    case '<':
      return (left, right) => compare(left, right, '<') < 0
    case '<=':
      return (left, right) => compare(left, right, '<=') <= 0
    case '>':
      return (left, right) => compare(left, right, '>') > 0
    case '>=':
      return (left, right) => compare(left, right, '>=') >= 0
    case 'in':
      return (left, right) => contains(right, left)
    case 'not in':
      return (left, right) => !contains(right, left)
  }
}
