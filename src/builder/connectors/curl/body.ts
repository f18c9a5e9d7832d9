/** What `-d` and its relatives send → JSON, a form, or text. */
import type { GivenBody } from '../../../from-request/given-request.ts'
import { parseJson } from '../../../std/json.ts'

type Sent = { readonly kind: string; readonly value: string }

export function readBody(
  sent: readonly Sent[],
  headers: readonly (readonly [string, string])[],
): { body: GivenBody | null; notes: readonly string[] } {
  const fromFiles = sent.filter(isFromFile)
  const notes = fromFiles.length > 0 ? ['A body from a file (@…) was left out: paste what is in it.'] : []
  const texts = sent.filter((one) => !isFromFile(one)).map(textOf)
  if (texts.length === 0) return { body: null, notes }
  const text = texts.join(sent.every(({ kind }) => kind === 'json') ? '' : '&')
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  return { body: bodyOf(text, type), notes }
}

/** `--data-raw` takes an `@` for what it is. */
function isFromFile({ kind, value }: Sent): boolean {
  return kind === 'data-urlencode' ? /^[^=]*@/.test(value) : kind !== 'data-raw' && value.startsWith('@')
}

function textOf({ kind, value }: Sent): string {
  if (kind !== 'data-urlencode') return value
  const at = value.indexOf('=')
  if (at < 0) return encodeURIComponent(value)
  return `${value.slice(0, at)}${at === 0 ? '' : '='}${encodeURIComponent(value.slice(at + 1))}`
}

function bodyOf(text: string, type: string): GivenBody {
  const isJson = /[/+]json\b/i.test(type)
  if (isJson || /^\s*[{[]/.test(text)) {
    const value = jsonOf(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { kind: 'json', value }
  }
  const isForm = type === '' || /x-www-form-urlencoded/i.test(type)
  if (!isJson && isForm && /^[^\s={}[\]"]+=?/.test(text)) {
    return { kind: 'form', pairs: [...new URLSearchParams(text)] }
  }
  return { kind: 'text', text }
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text).value
  } catch {
    return undefined
  }
}
