/** The body of an error response → the sentence in it that a person should read. */
import { decodeJson, decodeText, looksLikeHtml, peekJson, visible } from './decode.ts'
import type { HttpResponse } from './http-response.ts'

/** Where APIs put it, the most specific first. Airbyte searches these names, too. */
const messageNames = [
  ['error_description', 'message', 'messages', 'detail', 'details', 'error_message', 'errorMessage', 'msg', 'reason'],
  ['error', 'errors', 'failure', 'failures', 'fault', 'err', 'status_message', 'title', 'code'],
].flat()

const longest = 300
const deepest = 6

/**
 * What the body says about the failure, shortened; null when it says nothing that can be quoted.
 *
 * @param decoded the part that reports it, where the body is no JSON
 */
export function whatTheBodySays(response: HttpResponse, decoded?: unknown): string | null {
  const words = (messageIn(decoded, deepest) ?? jsonMessage(response) ?? plainMessage(response) ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  if (words === '') return null
  return visible(words.length > longest ? `${words.slice(0, longest - 1)}…` : words)
}

/** Airbyte: the names that `error_message_contains` searches; the first that holds anything is followed. */
const searched = [
  ['message', 'messages', 'error', 'errors', 'failures', 'failure', 'detail', 'err', 'error_message', 'msg', 'reason'],
  ['status_message'],
].flat()

const deepestSearched = 20

/** The whole message of a response of any kind, to search for words; of what is not JSON the whole text. */
export function searchableMessage(response: HttpResponse): string {
  const json = peekJson(response)
  return json === null ? plainText(response) : (searchableIn(json.value, deepestSearched) ?? '')
}

function searchableIn(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || depth === 0) return null
  if (Array.isArray(value)) {
    const messages = value.map((member) => searchableIn(member, depth - 1))
    return messages.filter((message) => message !== null).join(', ')
  }
  const members = new Map(Object.entries(value))
  const found = searched.map((name) => members.get(name)).find(holdsAnything)
  return searchableIn(found, depth - 1)
}

function holdsAnything(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)
}

function plainText(response: HttpResponse): string {
  try {
    return decodeText(response)
  } catch {
    return ''
  }
}

function jsonMessage(response: HttpResponse): string | null {
  try {
    return messageIn(decodeJson(response).value, deepest)
  } catch {
    return null
  }
}

function messageIn(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null || depth === 0) return null
  if (Array.isArray(value)) {
    const messages = value.slice(0, 3).map((member) => messageIn(member, depth - 1))
    return messages.filter((message) => message !== null && message !== '').join('; ') || null
  }
  const members = new Map(Object.entries(value))
  for (const name of messageNames) {
    const message = messageIn(members.get(name) ?? members.get(capitalized(name)), depth - 1)
    if (message !== null && message !== '') return message
  }
  return null
}

/** XML, and APIs in C#, write `Message`. */
function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Of a page for people its title; of plain text its start. */
function plainMessage(response: HttpResponse): string | null {
  const start = decodeText({ ...response, body: response.body.subarray(0, 4096) })
  if (looksLikeHtml(start)) return /<title[^>]*>([^<]*)/i.exec(start)?.[1] ?? null
  return /^\s*[<[{"]/.test(start) ? null : start
}
