/** The containers JSON does not have: tuples, sets, bytes, views, generators, namespaces, and the undefined value. */
import { kind } from './kind.ts'
import type { PlainDict, Value } from './value.ts'

export type TupleShape = { readonly type: string; readonly names: readonly string[] }

export class Tuple {
  readonly items: readonly Value[]
  /** Set for tuples whose members have names, as those of `isocalendar()`. */
  readonly shape: TupleShape | null
  constructor(items: readonly Value[], shape: TupleShape | null = null) {
    this.items = items
    this.shape = shape
  }
  get [kind]() {
    return 'tuple' as const
  }
  named(name: string): Value | undefined {
    const index = this.shape?.names.indexOf(name) ?? -1
    return index === -1 ? undefined : this.items[index]
  }
  [Symbol.iterator](): Iterator<Value> {
    return this.items[Symbol.iterator]()
  }
  toJSON(): readonly Value[] {
    return this.items
  }
}

/** Members differ from each other by Python's equality; the code that makes one checks it. */
export class PySet {
  readonly items: readonly Value[]
  constructor(items: readonly Value[]) {
    this.items = items
  }
  get [kind]() {
    return 'set' as const
  }
  [Symbol.iterator](): Iterator<Value> {
    return this.items[Symbol.iterator]()
  }
  toJSON(): readonly Value[] {
    return this.items
  }
}

export class Bytes {
  readonly octets: Uint8Array
  constructor(octets: Uint8Array) {
    this.octets = octets
  }
  get [kind]() {
    return 'bytes' as const
  }
}

export class Ellipsis {
  get [kind]() {
    return 'ellipsis' as const
  }
}

/** What a missing key or attribute gives: prints as nothing, and fails when used. */
export class Undefined {
  /** What was missed, as a sentence: "`next` is not in the dict". */
  readonly message: string
  /** Set when it means something out of bounds rather than absent. */
  readonly isForbidden: boolean
  /** The name that was read, and what it was read from: for a hint, should the value be used. */
  readonly missed: { readonly name: string; readonly of: Value } | null
  constructor(message: string, isForbidden = false, missed: Undefined['missed'] = null) {
    this.message = message
    this.isForbidden = isForbidden
    this.missed = missed
  }
  get [kind]() {
    return 'undefined' as const
  }
}

/** `namespace(a=1)`: the one thing whose attributes `{% set %}` may change. */
export class Namespace {
  readonly entries: Map<Value, Value>
  constructor(entries: Map<Value, Value>) {
    this.entries = entries
  }
  get [kind]() {
    return 'namespace' as const
  }
}

/** `dict.keys()`, `.values()`, `.items()`: sees later changes of its dict. */
export class DictView {
  readonly of: 'keys' | 'values' | 'items'
  readonly dict: Map<Value, Value> | PlainDict
  constructor(of: 'keys' | 'values' | 'items', dict: Map<Value, Value> | PlainDict) {
    this.of = of
    this.dict = dict
  }
  get [kind]() {
    return 'view' as const
  }
}

/** What `map`, `select` and the like give: can be iterated once. */
export class Generator {
  readonly values: IterableIterator<Value>
  readonly name: string
  constructor(name: string, values: IterableIterator<Value>) {
    this.name = name
    this.values = values
  }
  get [kind]() {
    return 'generator' as const
  }
}
