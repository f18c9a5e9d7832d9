/** A parsed template → the names it reads from its scope, and those it sets itself. */
import type { Arguments, Body, Expression, Statement, Target } from './ast.ts'

export type NamesUsed = { readonly read: ReadonlySet<string>; readonly set: ReadonlySet<string> }

export function namesOf(body: Body): NamesUsed {
  const collector = new Collector()
  collector.body(body, Names.ofBlock(body, null))
  return { read: collector.read, set: collector.set }
}

/** Names known at a point of the template: those set before it in this block, and anywhere in the blocks around. */
class Names {
  readonly #before = new Set<string>()
  readonly #anywhere: ReadonlySet<string>
  readonly #around: Names | null
  readonly #isBranch: boolean

  private constructor(body: Body, around: Names | null, isBranch: boolean) {
    this.#anywhere = new Set(assignedIn(body))
    this.#around = around
    this.#isBranch = isBranch
  }
  /** A block with variables of its own: the template, a loop, a macro. */
  static ofBlock(body: Body, around: Names | null): Names {
    return new Names(body, around, false)
  }
  /** A branch of an `if`, which shares the variables of its block. */
  static ofBranch(body: Body, block: Names): Names {
    return new Names(body, block, true)
  }
  has(name: string): boolean {
    if (this.#before.has(name)) return true
    return (this.#isBranch ? this.#around?.has(name) : this.#around?.hasAnywhere(name)) ?? false
  }
  add(name: string): void {
    this.#before.add(name)
  }
  hasAnywhere(name: string): boolean {
    return this.#before.has(name) || this.#anywhere.has(name) || (this.#around?.hasAnywhere(name) ?? false)
  }
}

class Collector {
  readonly read = new Set<string>()
  readonly set = new Set<string>()

  body(body: Body, known: Names): void {
    for (const statement of body) this.#statement(statement, known)
  }

  #statement(statement: Statement, known: Names): void {
    switch (statement.kind) {
      case 'text':
        return
      case 'output':
        return this.#expression(statement.value, known)
      case 'if':
        return this.#if(statement, known)
      case 'for':
        return this.#for(statement, known)
      case 'set':
        this.#expression(statement.value, known)
        return this.#target(statement.target, known)
      case 'set-block':
        this.body(statement.body, Names.ofBlock(statement.body, known))
        for (const { args } of statement.filters) this.#arguments(args, known)
        return this.#target(statement.target, known)
      case 'with': {
        const inner = Names.ofBlock(statement.body, known)
        for (const [, value] of statement.targets) this.#expression(value, known)
        for (const [target] of statement.targets) this.#target(target, inner)
        return this.body(statement.body, inner)
      }
      case 'filter-block':
        for (const { args } of statement.filters) this.#arguments(args, known)
        return this.body(statement.body, Names.ofBlock(statement.body, known))
      case 'block':
        return this.body(statement.body, Names.ofBlock(statement.body, known))
      case 'macro': {
        known.add(statement.name)
        this.set.add(statement.name)
        const inner = Names.ofBlock(statement.body, known)
        for (const [, value] of statement.parameters) if (value !== null) this.#expression(value, inner)
        for (const name of [...statement.parameters.map(([parameter]) => parameter), 'varargs', 'kwargs', 'caller']) {
          this.set.add(name)
          inner.add(name)
        }
        return this.body(statement.body, inner)
      }
    }
  }

  // Jinja: a name that is set only inside an `if` still has to come from the scope. Airbyte refuses the
  // template when it does not, so a manifest that relied on it would not run there.
  #if(statement: Statement & { kind: 'if' }, known: Names): void {
    this.#expression(statement.test, known)
    for (const branch of [statement.body, statement.otherwise]) {
      this.body(branch, Names.ofBranch(branch, known))
      for (const name of assignedIn(branch)) if (!known.has(name)) this.read.add(name)
    }
  }

  #for(statement: Statement & { kind: 'for' }, known: Names): void {
    this.#expression(statement.over, known)
    const inner = Names.ofBlock(statement.body, known)
    this.#target(statement.target, inner)
    if (statement.test !== null) this.#expression(statement.test, inner)
    inner.add('loop')
    this.set.add('loop')
    this.body(statement.body, inner)
    this.body(statement.otherwise, Names.ofBlock(statement.otherwise, known))
  }

  #target(target: Target, known: Names): void {
    switch (target.kind) {
      case 'name':
        this.set.add(target.name)
        return known.add(target.name)
      case 'tuple':
        for (const item of target.items) this.#target(item, known)
        return
      case 'attribute':
        this.#name(target.name, known)
    }
  }

  #name(name: string, known: Names): void {
    if (!known.has(name)) this.read.add(name)
  }

  #arguments({ positional, named, spread, spreadNamed }: Arguments, known: Names): void {
    for (const value of positional) this.#expression(value, known)
    for (const [, value] of named) this.#expression(value, known)
    if (spread !== null) this.#expression(spread, known)
    if (spreadNamed !== null) this.#expression(spreadNamed, known)
  }

  #expression(node: Expression, known: Names): void {
    if (node.kind === 'name') return this.#name(node.name, known)
    for (const child of childrenOf(node)) this.#expression(child, known)
    if (node.kind === 'call' || node.kind === 'filter' || node.kind === 'test') this.#arguments(node.args, known)
  }
}

/** Names set directly in a branch, or in the branches within it. */
function assignedIn(body: Body): string[] {
  return body.flatMap((statement) => {
    if (statement.kind === 'if') return [...assignedIn(statement.body), ...assignedIn(statement.otherwise)]
    if (statement.kind === 'macro') return [statement.name]
    return statement.kind === 'set' || statement.kind === 'set-block' ? targetNames(statement.target) : []
  })
}

function targetNames(target: Target): string[] {
  if (target.kind === 'tuple') return target.items.flatMap(targetNames)
  return target.kind === 'name' ? [target.name] : []
}

/** The expressions within an expression, arguments apart. */
export function childrenOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'constant':
    case 'name':
      return []
    case 'attribute':
      return [node.of]
    case 'item':
      return [node.of, node.key]
    case 'slice':
      return [node.of, node.start, node.stop, node.step].filter((part) => part !== null)
    case 'call':
      return [node.callee]
    case 'filter':
    case 'test':
      return [node.input]
    case 'not':
    case 'sign':
      return [node.operand]
    case 'and':
    case 'or':
    case 'binary':
      return [node.left, node.right]
    case 'compare':
      return [node.first, ...node.rest.map(({ operand }) => operand)]
    case 'concat':
      return node.parts
    case 'condition':
      return node.no === null ? [node.test, node.yes] : [node.test, node.yes, node.no]
    case 'list':
    case 'tuple':
      return node.items
    case 'dict':
      return node.entries.flat()
  }
}
