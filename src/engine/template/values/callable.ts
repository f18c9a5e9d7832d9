/** Functions of the template language: how their arguments are named, and how a call binds to them. */
import type { TemplateRun } from '../template-run.ts'
import { wrongType } from '../trouble.ts'
import { kind } from './kind.ts'
import type { Value } from './value.ts'

/** Bound arguments, in the order of the signature; `undefined` where an optional one was not given. */
export type Bound = readonly (Value | undefined)[]

export type Call = { readonly positional: readonly Value[]; readonly named: ReadonlyMap<string, Value> | null }

export type Signature = {
  readonly names: readonly string[]
  readonly required: number
  readonly takesRest: boolean
  readonly takesNamed: boolean
}

/**
 * `signature('width fillchar?')`: two parameters, the second optional.
 * `*` takes further positional arguments, `**` further named ones; both arrive in the `Call`.
 */
export function signature(text: string): Signature {
  const words = text.split(' ').filter((word) => word !== '')
  const names = words.filter((word) => !word.startsWith('*'))
  return {
    names: names.map((name) => name.replace('?', '')),
    required: names.filter((name) => !name.endsWith('?')).length,
    takesRest: words.includes('*'),
    takesNamed: words.includes('**'),
  }
}

/** Python's binding of arguments to parameters. */
export function bind(what: string, to: Signature, { positional, named }: Call): Bound {
  const bound: (Value | undefined)[] = positional.slice(0, to.names.length)
  if (positional.length > to.names.length && !to.takesRest) {
    throw wrongType(`\`${what}\` takes ${to.names.length} arguments, not ${positional.length}`)
  }
  for (const [name, value] of named ?? []) {
    const index = to.names.indexOf(name)
    if (index === -1) {
      if (to.takesNamed) continue
      throw wrongType(`\`${what}\` has no argument \`${name}\``)
    }
    if (bound[index] !== undefined) throw wrongType(`\`${what}\` is given \`${name}\` twice`)
    bound[index] = value
  }
  for (let index = 0; index < to.required; index++) {
    if (bound[index] === undefined) throw wrongType(`\`${what}\` lacks the argument \`${to.names[index]}\``)
  }
  return bound
}

export type CallableBody = (bound: Bound, run: TemplateRun, call: Call) => Value

/** A function a template can call: a macro of the language, a method bound to its object, a `{% macro %}`. */
export class Callable {
  readonly name: string
  readonly accepts: Signature
  readonly body: CallableBody
  /** What `{{ f }}` prints. */
  readonly text: () => string
  constructor(name: string, accepts: Signature, body: CallableBody, text = () => `<function ${name}>`) {
    this.name = name
    this.accepts = accepts
    this.body = body
    this.text = text
  }
  get [kind]() {
    return 'callable' as const
  }
  call(call: Call, run: TemplateRun): Value {
    return this.body(bind(this.name, this.accepts, call), run, call)
  }
}

export function callable(name: string, parameters: string, body: CallableBody): Callable {
  return new Callable(name, signature(parameters), body)
}
