/** An expression that stands for no path → the expressions it is made of. */
import type { Arguments, Expression } from '../../engine/template/syntax/ast.ts'

type Kind = 'test' | 'not' | 'sign' | 'binary' | 'concat' | 'list' | 'tuple' | 'dict'

export function partsOf(node: Extract<Expression, { kind: Kind }>): readonly Expression[] {
  switch (node.kind) {
    case 'test':
      return [...valuesOf(node.args), node.input]
    case 'not':
    case 'sign':
      return [node.operand]
    case 'binary':
      return [node.left, node.right]
    case 'concat':
      return node.parts
    case 'list':
    case 'tuple':
      return node.items
    case 'dict':
      return node.entries.flat()
  }
}

export function valuesOf({ positional, named }: Arguments): Expression[] {
  return [...positional, ...named.map(([, value]) => value)]
}
