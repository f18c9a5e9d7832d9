/** The replacement of `regex_replace` → a function from groups to text, by the rules of Python's `re.sub`. */
import { failed } from './trouble.ts'

type Groups = (group: number | string) => string

const piece = /\\(?:g<([^>]*)>|(0[0-7]{0,2}|[1-9]\d?)|([\s\S]?))/g

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v', '\\': '\\' }

export function parseReplacement(text: string, groupCount: number): (groups: Groups) => string {
  if (!text.includes('\\')) return () => text
  const parts: (string | { group: number | string })[] = []
  let position = 0
  for (const match of text.matchAll(piece)) {
    parts.push(text.slice(position, match.index), readPiece(match, groupCount))
    position = match.index + match[0].length
  }
  parts.push(text.slice(position))
  return (groups) => parts.map((part) => (typeof part === 'string' ? part : groups(part.group))).join('')
}

function readPiece([, name, digits, escaped]: RegExpExecArray | RegExpMatchArray, groupCount: number) {
  if (name !== undefined) return { group: /^\d+$/.test(name) ? known(Number(name), groupCount) : name }
  if (digits?.startsWith('0')) return String.fromCharCode(Number.parseInt(digits, 8))
  if (digits !== undefined) return { group: known(Number(digits), groupCount) }
  const text = escapes[escaped ?? '']
  if (text !== undefined) return text
  if (escaped === undefined || escaped === '' || /[a-zA-Z]/.test(escaped))
    throw failed(`\`\\${escaped ?? ''}\` has no meaning in a replacement`)
  return `\\${escaped}`
}

function known(group: number, groupCount: number): number {
  if (group > groupCount) throw failed(`the pattern has no group ${group}`)
  return group
}
