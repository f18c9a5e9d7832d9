/** Pieces of secrets that are too short to be found by their text: where a request holds them, and how they are masked there. */
import { parseJson, stringifyJson } from '../../std/json.ts'
import { mask } from './credential-names.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import { escapePattern } from '../../std/text/escape-pattern.ts'

/** Where a template puts its value; a null name is all of it. */
export type SecretPlace =
  | { readonly in: 'header' | 'parameter' | 'body'; readonly name: string | null }
  | { readonly in: 'path' }
  /** A whole value, such as that of a slice. */
  | { readonly in: 'value' }
  /** Nowhere in a request: only errors show it, in quotes. */
  | { readonly in: 'words' }

export type PlacedSecret = {
  readonly place: SecretPlace
  /** Null where it depends on what is known only later: whatever is at that place is hidden. */
  readonly text: string | null
}

/** Fields that hold members with the names of headers, parameters or members of a body. */
const carriers: Readonly<Record<string, 'header' | 'parameter' | 'body'>> = {
  request_headers: 'header',
  refresh_request_headers: 'header',
  request_parameters: 'parameter',
  request_body: 'body',
  request_body_json: 'body',
  request_body_data: 'body',
  refresh_request_body: 'body',
}

const addresses = new Set(['path', 'url', 'url_base'])

/** The place of this member of a component, or of what is within the field of a component that `around` is the place of. */
export function placeWithin(node: object, name: string, around: SecretPlace): SecretPlace {
  const { type } = node as { type?: unknown }
  const carrier = carriers[name]
  if (carrier !== undefined && around.in === 'words') return { in: carrier, name: null }
  if (addresses.has(name) && around.in === 'words') return { in: 'path' }
  if (type === 'ListPartitionRouter' && name === 'values') return { in: 'value' }
  if (around.in !== 'header' && around.in !== 'parameter' && around.in !== 'body') return around
  const isNamed = !Array.isArray(node) && !(typeof type === 'string' && name === 'value')
  return isNamed ? { in: around.in, name } : around
}

export type SecretPlaces = {
  readonly isEmpty: boolean
  /** Whether a request of the manifest holds a piece of a secret here. */
  readonly has: (kind: NamedPlace, name: string) => boolean
  /** The same, and this value has the piece: a link of the API may use the same name for something else. */
  readonly holds: (kind: NamedPlace, name: string, value: string) => boolean
  /** A path without its pieces. */
  readonly path: (path: string) => string
  readonly body: (body: string) => string
  /** Words without the pieces that are quoted in them. */
  readonly words: (words: string) => string
  /** Hidden wherever they are a whole value. */
  readonly wholeValues: readonly string[]
}

export type NamedPlace = 'header' | 'parameter' | 'body'

/** Shorter ones are whole values everywhere by chance. */
const shortestValue = 3

export function secretPlaces(placed: readonly PlacedSecret[]): SecretPlaces {
  const marksOf = (kind: NamedPlace, name: string) =>
    placed.filter(
      ({ place }) =>
        place.in === kind &&
        'name' in place &&
        (place.name === null || place.name.toLowerCase() === name.toLowerCase()),
    )
  const inPath = placed.filter(({ place }) => place.in === 'path')
  const texts = [...new Set(placed.flatMap(({ text }) => (text === null ? [] : [text])))]
  const quoted = texts.length === 0 ? null : new RegExp(`(?<=([\`'"]))(?:${longestFirst(texts)})(?=\\1)`, 'g')
  const has = (kind: NamedPlace, name: string) => marksOf(kind, name).length > 0
  return {
    isEmpty: placed.length === 0,
    has,
    holds: (kind, name, value) => marksOf(kind, name).some(({ text }) => text === null || value.includes(text)),
    path: pathHider(inPath),
    body: (body) =>
      placed.some(({ place }) => place.in === 'body') ? hideInBody(body, (name) => has('body', name)) : body,
    words: (words) => (quoted === null ? words : words.replace(quoted, mask)),
    wholeValues: placed.flatMap(({ place, text }) =>
      place.in === 'value' && text !== null && text.length >= shortestValue ? [text] : [],
    ),
  }
}

/** A piece of one or two characters is found between separators only. */
function pathHider(marks: readonly PlacedSecret[]): (path: string) => string {
  if (marks.length === 0) return (path) => path
  if (marks.some(({ text }) => text === null)) return () => `/${mask}`
  const spelled = marks.flatMap(({ text }) => {
    const plain = text ?? ''
    return [...new Set([plain, encodeURI(plain.toWellFormed()), encodeURIComponent(plain.toWellFormed())])]
  })
  const long = spelled.filter((text) => text.length > 2)
  const short = spelled.filter((text) => text.length <= 2)
  const patterns = [
    ...(long.length === 0 ? [] : [longestFirst(long)]),
    ...(short.length === 0 ? [] : [`(?<![A-Za-z0-9])(?:${longestFirst(short)})(?![A-Za-z0-9])`]),
  ]
  const pattern = new RegExp(patterns.join('|'), 'g')
  return (path) => path.replace(pattern, mask)
}

function longestFirst(texts: readonly string[]): string {
  return texts
    .toSorted((one, other) => other.length - one.length)
    .map(escapePattern)
    .join('|')
}

function hideInBody(body: string, isHidden: (name: string) => boolean): string {
  // A place without a name is the whole body.
  if (isHidden('')) return mask
  try {
    return stringifyJson(hideMembers(parseJson(body).value, isHidden))
  } catch {
    return body
      .split('&')
      .map((part) => {
        const [[name] = ['']] = new URLSearchParams(part)
        return isHidden(name) ? part.replace(/=.*$/s, `=${mask}`) : part
      })
      .join('&')
  }
}

function hideMembers(value: unknown, isHidden: (name: string) => boolean): unknown {
  if (isList(value)) return value.map((member) => hideMembers(member, isHidden))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isHidden(name) ? hideLeaves(member) : hideMembers(member, isHidden),
    ]),
  )
}

function hideLeaves(value: unknown): unknown {
  if (isList(value)) return value.map(hideLeaves)
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hideLeaves(member)]))
  return mask
}
