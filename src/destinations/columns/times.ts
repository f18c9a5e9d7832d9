/** Date and time strings of a column → days or microseconds since 1970. */

/** Days since 1970 of `2024-02-29…`. */
export function daysOf(text: string): number {
  return daysFromCivil(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10))
}

/** Microseconds since 1970 of `2024-02-29T10:00[:00[.123456]][ ]Z`, or with an offset; UTC without either. */
export function microsecondsOf(text: string): bigint {
  let seconds = digits(text, 11, 13) * 3600 + digits(text, 14, 16) * 60
  let at = 16
  let fraction = 0
  if (text[at] === ':') {
    seconds += digits(text, 17, 19)
    at = 19
    if (text[at] === '.') {
      const end = endOfDigits(text, at + 1)
      fraction = Number(text.slice(at + 1, end).padEnd(6, '0'))
      at = end
    }
  }
  if (text[at] === ' ') at++
  seconds -= offsetSeconds(text, at)
  return BigInt(daysOf(text) * 86_400 + seconds) * 1_000_000n + BigInt(fraction)
}

/** `Z`, `+05`, `-0530`, `+05:30`, or nothing. */
function offsetSeconds(text: string, at: number): number {
  const sign = text[at]
  if (sign !== '+' && sign !== '-') return 0
  const minutesAt = text[at + 3] === ':' ? at + 4 : at + 3
  const seconds =
    digits(text, at + 1, at + 3) * 3600 + (minutesAt < text.length ? digits(text, minutesAt, minutesAt + 2) * 60 : 0)
  return sign === '-' ? -seconds : seconds
}

function digits(text: string, start: number, end: number): number {
  let value = 0
  for (let index = start; index < end; index++) value = value * 10 + text.charCodeAt(index) - 48
  return value
}

function endOfDigits(text: string, start: number): number {
  let end = start
  while (text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end++
  return end
}

/** Howard Hinnant's `days_from_civil`: `Date.UTC` maps years before 100 to 1900 and later. */
function daysFromCivil(year: number, month: number, day: number): number {
  const fromMarch = month <= 2 ? year - 1 : year
  const era = Math.floor(fromMarch / 400)
  const yearOfEra = fromMarch - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}
