/** A pattern of a JSON Schema → an expression; null where only another language reads it, such as Python's `(?i)`. */
export function schemaPattern(pattern: string): RegExp | null {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      // `\-` and `\_` are escapes without the flag `u` only.
    }
  }
  return null
}
