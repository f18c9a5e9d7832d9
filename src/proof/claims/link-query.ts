/** A link of a response → the parameters in it. */

/** Of a whole address or the end of one; null where it has none. */
export function linkQuery(link: unknown): URLSearchParams | null {
  if (typeof link !== 'string') return null
  const start = link.indexOf('?')
  return start < 0 ? null : new URLSearchParams(link.slice(start + 1))
}

/** A number that may count: digits only, and no more of them than records have. */
export function digitsIn(value: string | null): number | null {
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : null
}
