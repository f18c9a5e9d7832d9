/** Doubles rounded in decimal as Python does: by their exact value, halves to the even digit. */

/** Like `toFixed`, for any size, with halves going to the even digit. */
export function fixed(value: number, digits: number): string {
  if (Math.abs(value) >= 1e21) return BigInt(value).toString() + (digits > 0 ? `.${'0'.repeat(digits)}` : '')
  if (digits > 100) return value.toFixed(100) + '0'.repeat(digits - 100)
  const text = value.toFixed(digits)
  if (!isTie(value, digits)) return text
  const lower = downward(value, digits)
  return /[02468]$/.test(lower) ? lower : text
}

/** The decimals after `digits` are exactly 5, 50, 500 … */
function isTie(value: number, digits: number): boolean {
  if (digits > 60) return false
  const exact = value.toFixed(Math.min(digits + 40, 100))
  const rest = exact.slice(exact.indexOf('.') + 1 + digits)
  return /^50*$/.test(rest)
}

/** Cut toward zero after so many decimals. */
function downward(value: number, digits: number): string {
  const exact = value.toFixed(digits + 1)
  return digits === 0 ? exact.slice(0, -2) : exact.slice(0, -1)
}

/** Python's `round(value, digits)` for floats. */
export function roundFloat(value: number, digits: number): number {
  if (!Number.isFinite(value) || digits > 100) return value
  if (digits >= 0) return Number(fixed(value, digits))
  const unit = 10 ** -digits
  const scaled = value / unit
  const floor = Math.floor(scaled)
  const rounded = scaled - floor === 0.5 ? (floor % 2 === 0 ? floor : floor + 1) : Math.round(scaled)
  return Number.isFinite(unit) ? rounded * unit : 0
}
