/** Regular expressions of templates: Python's syntax, run by RE2 so that no pattern can take for ever. */
import { RE2JS, type Matcher } from 're2js'
import { maxCachedPatterns } from './limits.ts'
import { spend, spendText } from './meter.ts'
import { failed } from './trouble.ts'
import { parseReplacement } from './replacement.ts'

const cache = new Map<string, RE2JS>()

/** The first group of the first match; empty when nothing matches or there is no group; null when the group took no part. */
export function searchPattern(pattern: string, text: string): string | null {
  const matcher = matcherOf(pattern, text)
  if (!matcher.find() || matcher.groupCount() === 0) return ''
  return matcher.group(1) ?? null
}

/** What the text starts with, where the pattern matches there; otherwise null. */
export function matchStart(pattern: string, text: string): string | null {
  const matcher = matcherOf(pattern, text)
  return matcher.lookingAt() ? (matcher.group() ?? null) : null
}

/** Whether the pattern matches anywhere in the text. */
export function hasMatch(pattern: string, text: string): boolean {
  return matcherOf(pattern, text).find()
}

/** Whether this is a regular expression that we can run. */
export function isPattern(pattern: string): boolean {
  try {
    compiled(pattern)
    return true
  } catch {
    return false
  }
}

/** Every match replaced; `\1` and `\g<name>` mean groups. */
export function replacePattern(pattern: string, replacement: string, text: string): string {
  const matcher = matcherOf(pattern, text)
  const expand = parseReplacement(replacement, matcher.groupCount())
  let result = ''
  let position = 0
  while (matcher.find()) {
    spend(1)
    result += text.slice(position, matcher.start()) + expand((group) => groupText(matcher, group))
    position = matcher.end()
    spendText(result.length)
  }
  return result + text.slice(position)
}

function groupText(matcher: Matcher, group: number | string): string {
  try {
    return matcher.group(group) ?? ''
  } catch {
    throw failed(`the pattern has no group \`${group}\``)
  }
}

function matcherOf(pattern: string, text: string): Matcher {
  // RE2 reads the text once, with all states of the pattern abreast.
  spend(5 + (text.length >> 4))
  return compiled(pattern).matcher(text)
}

function compiled(pattern: string): RE2JS {
  const known = cache.get(pattern)
  if (known !== undefined) return known
  if (pattern.length > 1000) throw failed('the pattern is longer than 1000 characters')
  const made = compile(pattern)
  if (cache.size >= maxCachedPatterns) cache.delete(cache.keys().next().value ?? '')
  cache.set(pattern, made)
  return made
}

function compile(pattern: string): RE2JS {
  spend(100)
  try {
    return RE2JS.compile(toRe2(pattern), RE2JS.LOOKBEHINDS)
  } catch {
    const reason = /\(\?[=!]|\\[1-9]/.test(pattern) ? '; look-ahead and back-references are not supported' : ''
    throw failed(`${JSON.stringify(pattern.slice(0, 60))} is not a pattern${reason}`)
  }
}

const spaces =
  '\\t-\\r\\x1c-\\x20\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}'

/** Python's classes know all of Unicode; RE2's only ASCII. */
const classes: Record<string, string> = { d: '\\p{Nd}', w: '\\p{L}\\p{N}_', s: spaces }

function toRe2(pattern: string): string {
  let isInClass = false
  return pattern.replace(/\\([\s\S])|[[\]]/g, (whole, escaped: string | undefined) => {
    if (escaped === undefined) {
      if (whole === '[') isInClass = true
      else isInClass = false
      return whole
    }
    if (escaped === 'Z') return '\\z'
    const inner = classes[escaped]
    if (inner !== undefined) return isInClass ? inner : `[${inner}]`
    const outer = isInClass ? undefined : classes[escaped.toLowerCase()]
    if (outer !== undefined && escaped !== escaped.toLowerCase()) return `[^${outer}]`
    // Python lets any sign be escaped, RE2 only signs of ASCII; a space or a quote needs no escape.
    return /[ '"#&,:;<>=@`~!%/-]/.test(escaped) ? (escaped === '-' && isInClass ? '\\-' : escaped) : whole
  })
}
