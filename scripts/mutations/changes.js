/** A TypeScript source → the small changes that could be made to it, each with where, and what takes its place. */
import { parseSync } from 'rolldown/utils'

const otherOperator = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '+=': '-=',
  '-=': '+=',
}

/** @returns {{ start: number, end: number, text: string, line: number, kind: string }[]} */
export function changesOf(file, source) {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`)
  const changes = []
  const replace = (kind, { start, end }, text) => changes.push({ kind, start, end, text, line: lineAt(source, start) })
  const textOf = ({ start, end }) => source.slice(start, end)

  const changeNode = (node) => {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression':
        return changeOperator(node)
      case 'Literal':
        if (typeof node.value === 'number') replace('constant', node, String(node.value + 1))
        if (typeof node.value === 'boolean') replace('constant', node, String(!node.value))
        return
      case 'IfStatement':
      case 'ConditionalExpression':
      case 'WhileStatement':
        return replace('condition', node.test, `!(${textOf(node.test)})`)
      case 'UnaryExpression':
        if (node.operator === '!') replace('condition', node, `(${textOf(node.argument)})`)
        return
      case 'ExpressionStatement':
        if (node.directive === undefined) replace('statement', node, '{}')
        return
      case 'ContinueStatement':
      case 'BreakStatement':
        if (node.label === null) replace('statement', node, '{}')
        return
      case 'ReturnStatement':
        if (node.argument === null) replace('statement', node, '{}')
    }
  }

  const changeOperator = ({ operator, left, right }) => {
    const between = { start: left.end, end: right.start }
    if (operator === '??') return replace('operator', { start: left.start, end: right.end }, textOf(left))
    const other = otherOperator[operator]
    // Texts are joined with +, and have no minus.
    if (other === undefined || ((operator === '+' || operator === '+=') && [left, right].some(isText))) return
    const kind = /[<>]/.test(operator) ? 'bound' : 'operator'
    replace(kind, between, textOf(between).replace(operator, other))
  }

  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node?.type !== 'string') return
    // Types are gone when the program runs.
    if (node.type.startsWith('TS')) return visit(node.expression)
    changeNode(node)
    for (const [name, child] of Object.entries(node)) {
      if (typeof child === 'object' && name !== 'loc' && name !== 'range') visit(child)
    }
  }
  visit(program)
  return changes
}

function isText(node) {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
}

function lineAt(source, offset) {
  return source.slice(0, offset).split('\n').length
}

/** What it says before and after, on one line. */
export function storyOf(source, { start, end, text }) {
  const from = Math.max(source.lastIndexOf('\n', start) + 1, start - 40)
  const newline = source.indexOf('\n', end)
  const to = Math.min(newline === -1 ? source.length : newline, end + 40)
  const story = (middle) => (source.slice(from, start) + middle + source.slice(end, to)).replace(/\s+/g, ' ').trim()
  return { before: story(source.slice(start, end)), after: story(text) }
}
