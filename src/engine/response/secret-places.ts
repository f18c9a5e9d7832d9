/** Pieces of secrets and their places → what hides them there, and nowhere else. */
import { parseJson, stringifyJson } from '../../std/json.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import type { PlacedSecret } from '../plan/placed-secrets.ts'

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

const mask = '****'

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

/** A piece of one or two characters is looked for between separators only. */
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
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
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
