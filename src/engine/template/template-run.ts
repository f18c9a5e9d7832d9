/** One evaluation under way: its scope, the variables it has set, and where it is. */
import { nowIn, type Scope, uuidKey } from './scope.ts'
import { Trouble } from './trouble.ts'
import type { Value } from './values/value.ts'

/** The variables of one block; those around it are reached through `around`. */
export class Frame {
  readonly values = new Map<string, Value>()
  readonly around: Frame | null
  constructor(around: Frame | null) {
    this.around = around
  }
  find(name: string): Value | undefined {
    const own = this.values.get(name)
    return own === undefined ? this.around?.find(name) : own
  }
}

export class TemplateRun {
  readonly scope: Scope
  /** Set while blocks with variables of their own run. */
  frame: Frame | null = null
  /** Offset of the operation under way, for error messages. */
  at = 0
  macroDepth = 0
  /** Null unless the template changes lists or dicts: then scope values are private copies. */
  copies: Map<unknown, Value> | null

  constructor(scope: Scope, copies: Map<unknown, Value> | null) {
    this.scope = scope
    this.copies = copies
  }

  /** Epoch milliseconds. */
  now(): number {
    return nowIn(this.scope)
  }
  uuid(): string {
    return this.scope[uuidKey]?.() ?? crypto.randomUUID()
  }
  /** Methods that change their object call this first. */
  change(): void {
    if (this.copies === null) throw new Trouble('forbidden', 'values of the scope cannot be changed')
  }
}
