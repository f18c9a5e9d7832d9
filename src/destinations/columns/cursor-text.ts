/** The text of a cursor → text that sorts as what it means: times as instants, digits as numbers, all else as it is. */
import { microsecondsOf } from './times.ts'

/**
 * Times of ISO 8601, days that exist, in years that no zone takes out of four digits. Written so that it means the same
 * to DuckDB, Postgres and JavaScript, which therefore agree on the order.
 */
export const timePattern = (() => {
  const leapYears = '(?:1[0-9]|2[0-9])(?:0[48]|[2468][048]|[13579][26])|(?:12|16|20|24|28)00'
  const days = [
    '(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])',
    '(?:0[13-9]|1[0-2])-(?:29|30)',
    '(?:0[13578]|1[02])-31',
  ].join('|')
  const time = '(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]+)?)?'
  const zone = ' ?(?:Z|[+-](?:0[0-9]|1[0-5])(?::?[0-5][0-9])?)'
  return `^(?:[12][0-9]{3}-(?:${days})|(?:${leapYears})-02-29)(?:[T ]${time}(?:${zone})?)?$`
})()

/** Of numbers without a sign. Longer ones are no cursors. */
export const digitsPattern = '^[0-9]{1,40}(?:[.][0-9]+)?$'
export const longestDigits = 40

/** The fraction of a second of such a time, after the point. */
export const fractionPattern = '[.]([0-9]+)'

const isTime = new RegExp(timePattern)
const isDigits = new RegExp(digitsPattern)
const fractionIn = new RegExp(fractionPattern)

/** Whether the text is compared as a time. */
export function isCursorTime(text: string): boolean {
  return isTime.test(text)
}

/** A time → the same in UTC, without its zone; a number → the same with zeros in front, as long as the longest. */
export function sortableText(text: string): string {
  if (isTime.test(text)) {
    const whole = text.replace(fractionIn, '')
    const seconds = new Date(Number(microsecondsOf(whole.length === 10 ? `${whole}T00:00` : whole)) / 1000)
    return `${seconds.toISOString().slice(0, 19)}.${(fractionIn.exec(text)?.[1] ?? '').replace(/0+$/, '')}`
  }
  if (!isDigits.test(text)) return text
  const [whole = ''] = text.split('.')
  return '0'.repeat(longestDigits - whole.length) + text
}
