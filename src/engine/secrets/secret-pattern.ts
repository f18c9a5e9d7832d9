/** A secret → a pattern that finds it however it was written: plain, URL-encoded, JSON-escaped, base64. */
import { escapePattern } from '../../std/text/escape-pattern.ts'

/**
 * Source of a regular expression for every form of the secret. Characters are matched one by one, so mixtures are found
 * too: `/` may stay as it is, or be `%2F`, `%2f`, `%252F` or `\/`, whatever the encoder thought of it.
 */
export function secretPattern(secret: string): string {
  return [plainPattern(secret), ...base64Patterns(secret)].join('|')
}

function plainPattern(secret: string): string {
  return secret.replace(/[^A-Za-z0-9]/gu, anySpelling)
}

function anySpelling(character: string): string {
  const spellings = [escapePattern(character), percentEncoded(character), unicodeEscaped(character)]
  const jsonEscaped = JSON.stringify(character).slice(1, -1)
  if (jsonEscaped !== character) spellings.unshift(escapePattern(jsonEscaped))
  if (character === ' ') spellings.push('\\+')
  if (character === '/') spellings.push('\\\\/')
  return `(?:${spellings.join('|')})`
}

/** `%20`, in either case; `%2520` when it was encoded twice. */
function percentEncoded(character: string): string {
  return [...new TextEncoder().encode(character)].map((byte) => `%(?:25)*${hexDigits(byte, 2)}`).join('')
}

/** `\u00e9`, in either case; two of them outside the basic plane. */
function unicodeEscaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\\\u${hexDigits(unit.charCodeAt(0), 4)}`)
    .join('')
}

function hexDigits(value: number, length: number): string {
  const digits = value.toString(16).padStart(length, '0')
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}

/** Shorter runs of base64 would be found by chance. */
const shortestRun = 4
const base64Character = '[A-Za-z0-9+/_-]'

/**
 * Base64 of a text that holds the secret, such as `user:secret`. It depends on where the secret is among the triples
 * of bytes, so there are three forms; characters that it shares with its neighbours are taken along.
 */
function base64Patterns(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret)
  return [0, 1, 2].flatMap((offset) => {
    const endBit = (offset + bytes.length) * 8
    const [first, last] = [Math.ceil((offset * 8) / 6), Math.floor(endBit / 6)]
    const run = btoa('\0'.repeat(offset) + String.fromCharCode(...bytes)).slice(first, last)
    if (run.length < shortestRun) return []
    const before = offset === 0 ? '' : base64Character
    const after = endBit % 6 === 0 ? '' : `${base64Character}?(?:=|%3[dD]){0,2}`
    return [before + run.replace(/[+/]/g, base64Spelling) + after]
  })
}

/** Base64url writes `-` and `_`, and a URL encodes what base64 writes. */
function base64Spelling(character: string): string {
  return character === '+' ? '(?:\\+|-|%(?:25)*2[bB])' : '(?:\\\\?/|_|%(?:25)*2[fF])'
}
