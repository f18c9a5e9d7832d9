/** Text ↔ base64 of its UTF-8 octets. */
import { spendText } from './meter.ts'
import { failed } from './trouble.ts'

export function base64Text(text: string): string {
  spendText(text.length * 2)
  let binary = ''
  for (const octet of new TextEncoder().encode(text)) binary += String.fromCharCode(octet)
  return btoa(binary)
}

/** As lenient as Python: characters outside of the alphabet are skipped. */
export function base64ToText(encoded: string): string {
  spendText(encoded.length)
  const digits = encoded.replace(/[^A-Za-z0-9+/=]/g, '')
  const data = /^[^=]*/.exec(digits)?.[0] ?? ''
  const padding = digits.length - data.length
  if (data.length % 4 === 1) throw failed('the string is not base64: its length is wrong')
  if (data.length % 4 !== 0 && padding < 4 - (data.length % 4))
    throw failed('the string is not base64: its padding is missing')
  const octets = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets)
  } catch {
    throw failed('the base64 is not UTF-8 text')
  }
}
