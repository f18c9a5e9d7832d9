/** Values from several sources → one set without silent overwriting. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import { stringifyJson } from '../../std/json.ts'
import { isPlainObject } from '../../std/values/objects.ts'
import { setMember } from '../../std/values/set-member.ts'

/** Where a value comes from: named in the error when two sources write the same name. */
export type ValueSource =
  | 'request_parameters'
  | 'query_properties'
  | 'request_headers'
  | 'request body'
  | 'authenticator'
  | 'page_token_option'
  | 'page_size_option'
  | 'slice options'

export type Sourced<T> = { readonly source: ValueSource; readonly name: string; readonly value: T }

/** These values, all from one source. */
export function sourcedAs<T>(source: ValueSource, values: readonly { name: string; value: T }[]): Sourced<T>[] {
  return values.map(({ name, value }) => ({ source, name, value }))
}

/** Each name once. Airbyte: two sources collide even when their values are equal. */
export function mergeNamed<T>(entries: readonly Sourced<T>[], where: string, at: SourceLocation): Sourced<T>[] {
  const merged = new Map<string, Sourced<T>>()
  for (const entry of entries) {
    const earlier = merged.get(entry.name)
    if (earlier !== undefined) throw collision(earlier.source, entry.source, `${where} \`${entry.name}\``, at)
    merged.set(entry.name, entry)
  }
  return [...merged.values()]
}

export type JsonObject = { [name: string]: unknown }
type SourcedJson = { readonly source: ValueSource; readonly value: JsonObject }

/** Objects merge member by member; leaves must agree. */
export function mergeJson(parts: readonly SourcedJson[], at: SourceLocation): JsonObject {
  const merged: JsonObject = {}
  const owners = new Map<string, ValueSource>()
  for (const { source, value } of parts) mergeInto(merged, value, source, [], owners, at)
  return merged
}

function mergeInto(
  target: JsonObject,
  from: JsonObject,
  source: ValueSource,
  path: string[],
  owners: Map<string, ValueSource>,
  at: SourceLocation,
): void {
  for (const [name, value] of Object.entries(from)) {
    const here = [...path, name]
    const existing = Object.hasOwn(target, name) ? target[name] : undefined
    if (isPlainObject(existing) && isPlainObject(value)) {
      mergeInto(existing, value, source, here, owners, at)
    } else if (Object.hasOwn(target, name) && stringifyJson(existing) !== stringifyJson(value)) {
      throw collision(
        owners.get(here.join('.')) ?? 'request body',
        source,
        `\`${here.join('.')}\` in the JSON body`,
        at,
      )
    } else if (isPlainObject(value)) {
      setMember(target, name, {})
      mergeInto(target[name] as JsonObject, value, source, here, owners, at)
    } else {
      setMember(target, name, value)
      owners.set(here.join('.'), source)
    }
  }
}

/** `['a', 'b'], 1` → `{ a: { b: 1 } }` */
export function nest(path: readonly string[], value: unknown): JsonObject {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as JsonObject
}

function collision(first: ValueSource, second: ValueSource, where: string, at: SourceLocation): ConnectorError {
  const who = first === second ? `${first} twice` : `${first} and ${second}`
  return new ConnectorError('request/option-collision', `${who} write ${where}.`, { at })
}
