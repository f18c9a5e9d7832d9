/** A double → the text Python prints for it. */

export function formatFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (value === Number.POSITIVE_INFINITY) return 'inf'
  if (value === Number.NEGATIVE_INFINITY) return '-inf'
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) return pythonExponent(value.toExponential())
  if (Object.is(value, -0)) return '-0.0'
  const text = String(value)
  return text.includes('.') ? text : `${text}.0`
}

/** JavaScript's `1e-7` → C's `1e-07`. */
export function pythonExponent(text: string): string {
  return text.replace(/e([+-])(\d)$/, 'e$10$2')
}
