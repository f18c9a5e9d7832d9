/** Text → percent-encoded text, as Python's `urllib.parse.quote`. */
import { failed } from './trouble.ts'
import { spendText } from './meter.ts'

/** Spaces become `%20`; `/` stays. */
export function quotePath(text: string): string {
  return encode(text).replaceAll('%2F', '/')
}

/** Spaces become `+`. */
export function quotePlus(text: string): string {
  return encode(text).replaceAll('%20', '+')
}

function encode(text: string): string {
  spendText(text.length * 3)
  if (!text.isWellFormed()) throw failed('the string has a lone surrogate')
  // encodeURIComponent leaves these five, Python does not.
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
