/** Values a caller puts into a scope that are more than JSON: mappings with attributes, headers, functions. */
import { kind } from './values/kind.ts'
import type { Value } from './values/value.ts'

/**
 * A mapping that also has attributes, as `stream_slice` (`partition`, `cursor_slice`, `extra_fields`)
 * and `last_record` (`data`, `stream_name`, `associated_slice`).
 * `x.partition` is the attribute even if there is an entry of that name; `x['partition']` the entry.
 */
export class AttributedDict {
  readonly entries: Readonly<Record<string, unknown>>
  readonly attributes: Readonly<Record<string, unknown>>
  constructor(entries: Readonly<Record<string, unknown>>, attributes: Readonly<Record<string, unknown>>) {
    this.entries = entries
    this.attributes = attributes
  }
  get [kind]() {
    return 'mapping' as const
  }
  toJSON(): unknown {
    return this.entries
  }
}

/**
 * Response headers in pagination templates. Names ignore case, except that `link`, exactly so,
 * is the parsed Link header and `Link` in any other casing its raw text.
 */
export class HeaderDict {
  readonly entries: Readonly<Record<string, unknown>>
  readonly #keys = new Map<string, string>()
  readonly #linkIsParsed: boolean

  constructor(
    headers: Readonly<Record<string, unknown>>,
    links: Readonly<Record<string, Readonly<Record<string, string>>>> | null,
  ) {
    const entries: Record<string, unknown> = Object.create(null)
    this.#linkIsParsed = links !== null
    for (const [name, text] of Object.entries(headers)) {
      // Fetch lower-cases every name; the raw header must not replace the parsed one.
      const key = name === 'link' && links !== null ? 'Link' : name
      entries[key] = text
      this.#keys.set(key.toLowerCase(), key)
    }
    if (links !== null) entries['link'] = links
    this.entries = entries
  }
  /** Headers as someone wrote them down, `link` included: an exact name comes first, then one that ignores case. */
  static fromPlain(headers: Readonly<Record<string, unknown>>): HeaderDict {
    return new HeaderDict(headers, null)
  }
  get [kind]() {
    return 'mapping' as const
  }
  /** The key under which a header is kept, or null when it was not sent. */
  keyOf(name: string): string | null {
    if (name === 'link' && this.#linkIsParsed) return name
    return Object.hasOwn(this.entries, name) ? name : (this.#keys.get(name.toLowerCase()) ?? null)
  }
  toJSON(): unknown {
    return this.entries
  }
}

/** A function of the caller's, as `json_loads` in JWT templates. */
export class HostFunction {
  readonly call: (...args: Value[]) => Value
  constructor(call: (...args: Value[]) => Value) {
    this.call = call
  }
  get [kind]() {
    return 'callable' as const
  }
}
