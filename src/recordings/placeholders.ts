/** Secrets → placeholders: the same one for the same secret, in every spelling, so that a replay sends the same requests. */
import { secretPattern } from '../engine/secrets/secret-pattern.ts'
import { Float } from '../std/json.ts'
import { isList, isObject } from '../std/values/objects.ts'

export type SecretPlaceholders = {
  /**
   * Returns the placeholder.
   *
   * @param name what it is called: the name of the field, header or parameter.
   */
  readonly learn: (secret: string, name: string, as?: string) => string
  /** Replaces every secret in a text: plain, URL-encoded, JSON-escaped, base64. */
  readonly text: (text: string) => string
  /** The same in every string, key and number of a value. */
  readonly value: (value: unknown) => unknown
  /** The placeholder of a secret that is in the text; null where there is none. */
  readonly foundIn: (text: string, isPublic: (secret: string) => boolean) => string | null
}

/** Shorter ones are replaced only where they are a whole value: as a part they would be found in every word. */
const shortestPart = 4
/** Shorter ones may be in a text by chance. */
const shortestProof = 6

export function openSecretPlaceholders(): SecretPlaceholders {
  const known = new Map<string, string>()
  const taken = new Set<string>()
  let pattern: RegExp | null = null

  const replaced = (found: string): string => {
    const exact = known.get(found)
    if (exact !== undefined) return exact
    for (const [secret, placeholder] of longestFirst(known)) {
      if (secret.length >= shortestPart && new RegExp(`^(?:${secretPattern(secret)})$`).test(found)) return placeholder
    }
    return found
  }
  const text = (given: string): string => {
    const whole = known.get(given)
    if (whole !== undefined) return whole
    pattern ??= patternOf([...known.keys()].filter((secret) => secret.length >= shortestPart))
    return given.replace(pattern, replaced)
  }
  return {
    learn(secret, name, as) {
      const earlier = known.get(secret)
      if (earlier !== undefined) return earlier
      if (secret === '' || taken.has(secret)) return secret
      const placeholder = as ?? (/^\d+$/.test(secret) ? number(secret, taken) : word(name, taken))
      taken.add(placeholder)
      known.set(secret, placeholder)
      pattern = null
      return placeholder
    },
    text,
    value: (given) => replacedIn(given, text, known),
    foundIn(given, isPublic) {
      for (const [secret, placeholder] of longestFirst(known)) {
        if (secret.length < shortestProof || isPublic(secret)) continue
        if (new RegExp(secretPattern(secret)).test(given)) return placeholder
      }
      return null
    },
  }
}

/** Longest first: where one secret is part of another, the whole is replaced. */
function longestFirst(known: ReadonlyMap<string, string>): [string, string][] {
  return [...known].toSorted(([one], [other]) => other.length - one.length)
}

function patternOf(secrets: readonly string[]): RegExp {
  if (secrets.length === 0) return /(?!)/g
  const sorted = secrets.toSorted((one, other) => other.length - one.length)
  return new RegExp(sorted.map(secretPattern).join('|'), 'g')
}

/** Letters, digits and `_` only: what a URL, a JSON text and a header all leave as it is. */
function word(name: string, taken: ReadonlySet<string>): string {
  const plain = `placeholder_${name.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_+|_+$/g, '') || 'secret'}`
  if (!taken.has(plain)) return plain
  for (let index = 2; ; index++) if (!taken.has(`${plain}_${index}`)) return `${plain}_${index}`
}

/** A number of the same length stays a number where one is needed. */
function number(secret: string, taken: ReadonlySet<string>): string {
  for (let index = 1; ; index++) {
    const made = `9${String(index).padStart(Math.max(secret.length - 1, 1), '0')}`
    if (made !== secret && !taken.has(made)) return made
  }
}

function replacedIn(value: unknown, text: (given: string) => string, known: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float) {
    const placeholder = known.get(String(value))
    return placeholder === undefined ? value : Number(placeholder)
  }
  if (isList(value)) return value.map((member) => replacedIn(member, text, known))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [text(key), replacedIn(member, text, known)]))
}
