/** How the methods of a type are written down, and how they read their arguments. */
import type { TemplateRun } from '../template-run.ts'
import { needs } from '../trouble.ts'
import { type Bound, type Call, type Signature, signature } from '../values/callable.ts'
import { isInt } from '../values/kind.ts'
import type { Value } from '../values/value.ts'

export type Method<T> = {
  readonly accepts: Signature
  readonly body: (self: T, args: MethodArguments, run: TemplateRun, call: Call) => Value
}

export type Methods<T> = ReadonlyMap<string, Method<T>>

/** `methods({ upper: ['', (self) => …], strip: ['chars?', (self, args) => …] })` */
export function methods<T>(table: Record<string, readonly [parameters: string, body: Method<T>['body']]>): Methods<T> {
  return new Map(
    Object.entries(table).map(([name, [parameters, body]]) => [name, { accepts: signature(parameters), body }]),
  )
}

/** Bound arguments, read with the type they must have. */
export class MethodArguments {
  readonly what: string
  readonly #bound: Bound
  constructor(what: string, bound: Bound) {
    this.what = what
    this.#bound = bound
  }
  value(index: number): Value {
    return this.#bound[index] as Value
  }
  optional(index: number): Value | undefined {
    return this.#bound[index]
  }
  text(index: number): string {
    const value = this.value(index)
    if (typeof value === 'string') return value
    throw needs(`\`${this.what}\``, 'a str', value)
  }
  optionalText(index: number): string | null {
    const value = this.#bound[index]
    return value === undefined || value === null ? null : this.text(index)
  }
  whole(index: number): number {
    const value = this.value(index)
    if (isInt(value)) return Number(value)
    throw needs(`\`${this.what}\``, 'an int', value)
  }
  optionalWhole(index: number): number | null {
    const value = this.#bound[index]
    return value === undefined || value === null ? null : this.whole(index)
  }
}
