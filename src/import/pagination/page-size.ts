/** The parameter that asks for a number of records → the number to send: fewer, larger pages. */
import type { DescribedParameter } from '../description.ts'

/** Above it, responses get slow rather than few. */
const largest = 1000

/** Null where the description names no number to rely on: the API's own default is better than a guess. */
export function sizeToSend({ maximum, choices, words, fallback }: DescribedParameter): number | null {
  const listed = choices.map(Number).filter((one) => Number.isInteger(one) && one > 0)
  if (listed.length > 0) return Math.max(...listed)
  const most = maximum ?? maximumIn(words)
  if (most !== null && Number.isInteger(most) && most > 0) return Math.min(most, largest)
  const usual = Number(fallback ?? Number.NaN)
  return Number.isInteger(usual) && usual > 0 && usual <= largest ? usual : null
}

/** `Maximum is 100.`, `(max 250)`, `between 1 and 100`, `up to 50` */
function maximumIn(words: string): number | null {
  const found =
    /\bmax(?:imum)?\b[^\d\n.]{0,40}?(\d{1,5})\b/i.exec(words) ??
    /\bbetween 1 and (\d{1,5})\b/i.exec(words) ??
    /\bup to (?:a maximum of )?(\d{1,5})\b/i.exec(words) ??
    /\b1\s?[-–]\s?(\d{2,5})\b/.exec(words)
  return found === null ? null : Number(found[1])
}
