/** Builds one Problem of a manifest, and joins near-miss and hint. */
import { type ErrorCode, hints, type Problem, type SourceLocation } from '../../std/errors.ts'

export function problem(
  code: ErrorCode,
  severity: Problem['severity'],
  message: string,
  at: SourceLocation,
  hint: string = hints[code],
): Problem {
  return { code, severity, message, at, hint }
}

/** "Did you mean …?", or else what the code itself advises. */
export function didYouMean(near: string | undefined, otherwise: string): string {
  return near === undefined ? otherwise : `Did you mean \`${near}\`?`
}

/** `a`, `b` or `c`; a long list is cut. */
export function listed(words: readonly string[], most = 12, last: 'or' | 'and' = 'or'): string {
  const shown = words.slice(0, most).map((word) => `\`${word}\``)
  if (words.length > most) return `${shown.join(', ')} and ${words.length - most} more`
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} ${last} ${shown.at(-1)}`
}
