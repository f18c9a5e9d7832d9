/** The text of a GraphQL query → the variables that it declares, and the arguments that they are given to. */

export type Variable = {
  readonly name: string
  /** Without what makes it a list or required: `Int`, `String`. */
  readonly type: string
  /** Must be given, and has no default. */
  readonly isRequired: boolean
  /** `first` for `orders(first: $n)`; null where it is given to none directly. */
  readonly argument: string | null
}

export function variablesIn(query: string): Variable[] {
  const text = query.replaceAll(/#[^\n]*/g, '')
  const head = /^\s*(?:query|subscription)\b[^({]*\(([^)]*)\)/.exec(text)?.[1] ?? ''
  return [...head.matchAll(/\$(\w+)\s*:\s*([[\]!\w]+)\s*(=)?/g)].map(([, name = '', type = '', hasDefault]) => ({
    name,
    type: type.replaceAll(/[[\]!]/g, ''),
    isRequired: type.endsWith('!') && hasDefault === undefined,
    argument: new RegExp(`(\\w+)\\s*:\\s*\\$${name}\\b`).exec(text.replace(head, ''))?.[1] ?? null,
  }))
}
