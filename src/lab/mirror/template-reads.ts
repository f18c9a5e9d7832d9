/** Template text → the paths it reads (`response.meta.next` → `['meta', 'next']`) and the constants it compares them with. */
import type { Arguments, Body, Expression, Statement } from '../../engine/template/syntax/ast.ts'
import { parseTemplate } from '../../engine/template/syntax/statements.ts'
import { normalise } from '../../engine/template/syntax/tokens.ts'
import type { MirrorPath } from './put-value.ts'
import { valueAt } from '../../std/values/get-at.ts'

/** `root` is the name the path starts at. */
export type Read = { readonly root: string; readonly path: MirrorPath }

/** Values known beforehand, for keys that are themselves looked up: `record[parameters.cursor_field]`. */
export type Known = Readonly<Record<string, unknown>>

/** Methods that belong to the value, not to its members. */
const methods = new Set(
  'get items keys values split strip lstrip rstrip replace startswith endswith lower upper title join append format strftime isoformat timestamp index count find'.split(
    ' ',
  ),
)

class ReadFinder {
  readonly reads: Read[] = []
  readonly constants = new Set<unknown>()
  readonly #aliases = new Map<string, Read>()
  readonly #known: Known

  constructor(known: Known) {
    this.#known = known
  }

  body(body: Body): void {
    for (const statement of body) this.#statement(statement)
  }

  #statement(statement: Statement): void {
    switch (statement.kind) {
      case 'text':
        return
      case 'output':
        this.#visit(statement.value)
        return
      case 'if':
        this.#visit(statement.test)
        this.body(statement.body)
        return this.body(statement.otherwise)
      case 'for': {
        const list = this.#visit(statement.over)
        if (statement.target.kind === 'name' && list !== null) {
          this.#aliases.set(statement.target.name, { root: list.root, path: [...list.path, 0] })
        }
        if (statement.test !== null) this.#visit(statement.test)
        this.body(statement.body)
        return this.body(statement.otherwise)
      }
      case 'set': {
        const read = this.#visit(statement.value)
        if (statement.target.kind === 'name' && read !== null) this.#aliases.set(statement.target.name, read)
        return
      }
      default:
        return this.body(statement.body)
    }
  }

  /** Collects what the expression reads; returns its path where it is one. */
  #visit(node: Expression): Read | null {
    const read = this.#readOf(node)
    if (read !== null) this.reads.push(read)
    return read
  }

  #readOf(node: Expression): Read | null {
    switch (node.kind) {
      case 'constant':
        this.constants.add(node.value)
        return null
      case 'name':
        return this.#aliases.get(node.name) ?? { root: node.name, path: [] }
      case 'attribute':
        return this.#member(node.of, node.name)
      case 'item':
        return this.#member(node.of, this.#key(node.key))
      case 'call':
        return this.#call(node)
      case 'filter': {
        this.#arguments(node.args)
        const read = this.#visit(node.input)
        if (node.name === 'map') return this.#mapped(node, read)
        return ['default', 'd', 'sort', 'list', 'tojson', 'string', 'trim'].includes(node.name)
          ? read
          : this.#element(node.name, read)
      }
      case 'or':
      case 'and': {
        const left = this.#visit(node.left)
        const right = this.#visit(node.right)
        return left ?? right
      }
      case 'condition': {
        this.#visit(node.test)
        const yes = this.#visit(node.yes)
        if (node.no !== null) this.#visit(node.no)
        return yes
      }
      case 'slice':
        return this.#visit(node.of)
      case 'compare':
        return this.#compare(node)
      default:
        for (const part of innerExpressions(node)) this.#visit(part)
        return null
    }
  }

  /** `items | map(attribute='name')` reads the name of each item. */
  #mapped(node: Extract<Expression, { kind: 'filter' }>, read: Read | null): Read | null {
    const attribute = node.args.named.find(([name]) => name === 'attribute')?.[1]
    if (read === null || attribute?.kind !== 'constant' || typeof attribute.value !== 'string') return null
    return { root: read.root, path: [...read.path, 0, attribute.value] }
  }

  #element(filter: string, read: Read | null): Read | null {
    if (read === null) return null
    if (filter === 'first') return { root: read.root, path: [...read.path, 0] }
    return filter === 'last' ? { root: read.root, path: [...read.path, -1] } : null
  }

  /** `'next' in response.links` reads the member it asks for. */
  #compare(node: Extract<Expression, { kind: 'compare' }>): null {
    const first = this.#visit(node.first)
    for (const { operator, operand } of node.rest) {
      const holder = this.#visit(operand)
      const isMembership = operator === 'in' || operator === 'not in'
      if (
        isMembership &&
        holder !== null &&
        first === null &&
        node.first.kind === 'constant' &&
        typeof node.first.value === 'string' &&
        /^[\w@.$-]+$/.test(node.first.value)
      ) {
        this.reads.push({ root: holder.root, path: [...holder.path, node.first.value] })
      }
    }
    return null
  }

  #member(of: Expression, key: unknown): Read | null {
    const holder = this.#visit(of)
    if (holder === null || (typeof key !== 'string' && typeof key !== 'number')) return null
    return { root: holder.root, path: [...holder.path, key] }
  }

  #call(node: Extract<Expression, { kind: 'call' }>): Read | null {
    const { callee, args } = node
    if (callee.kind !== 'attribute' || !methods.has(callee.name)) {
      if (callee.kind !== 'name') this.#visit(callee)
      this.#arguments(args)
      return null
    }
    if (callee.name !== 'get') {
      this.#arguments(args)
      const read = this.#visit(callee.of)
      return callee.name === 'values' && read !== null ? { root: read.root, path: [...read.path, 'a'] } : null
    }
    const [key, ...rest] = args.positional
    for (const value of rest) this.#visit(value)
    return this.#member(callee.of, key === undefined ? undefined : this.#key(key))
  }

  #arguments(args: Arguments): void {
    for (const value of valuesOf(args)) this.#visit(value)
  }

  #key(node: Expression): unknown {
    if (node.kind === 'constant') return typeof node.value === 'bigint' ? Number(node.value) : node.value
    if (node.kind === 'sign' && node.operator === '-') return -Number(this.#key(node.operand))
    const read = this.#visit(node)
    return read === null ? undefined : valueAt(this.#known[read.root], read.path)
  }
}

type Kind = 'test' | 'not' | 'sign' | 'binary' | 'concat' | 'list' | 'tuple' | 'dict'

function innerExpressions(node: Extract<Expression, { kind: Kind }>): readonly Expression[] {
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

function valuesOf({ positional, named }: Arguments): Expression[] {
  return [...positional, ...named.map(([, value]) => value)]
}

export type TemplateReads = { readonly reads: readonly Read[]; readonly constants: readonly unknown[] }

/** What cannot be parsed reads nothing: the engine will say so itself. */
export function readsOf(text: string, known: Known = {}): TemplateReads {
  const finder = new ReadFinder(known)
  try {
    finder.body(parseTemplate(normalise(text)))
  } catch {
    return { reads: [], constants: [] }
  }
  return { reads: finder.reads, constants: [...finder.constants] }
}
