/** A column of numbers that stand as digits → expressions that order them by value, to the last digit. */

/** Above the places of all numbers, so that zero has one between those below it and those above. */
const offset = 1_000_000_000_000

/**
 * First where the first digit stands that counts, `12.5` and `0.0125e+03` at 2; then the digits themselves, which compare as
 * texts then. Below zero both go the other way: nines for zeros, and a longer text is lower.
 */
export function decimalOrder(sql: string): readonly string[] {
  const mantissa = `regexp_extract(${sql}, '^-?([0-9.]*)', 1)`
  const exponent = `coalesce(TRY_CAST(regexp_extract(${sql}, 'e([-+]?[0-9]+)$', 1) AS BIGINT), 0)`
  const leadingZeros = `length(replace(${mantissa}, '.', '')) - length(ltrim(replace(${mantissa}, '.', ''), '0'))`
  const place = `length(split_part(${mantissa}, '.', 1)) - (${leadingZeros}) + ${exponent} + ${offset}`
  const digits = `trim(replace(${mantissa}, '.', ''), '0')`
  const isNegative = `(starts_with(${sql}, '-') AND ${digits} <> '')`
  return [
    `CASE WHEN ${digits} = '' THEN 0 WHEN ${isNegative} THEN -(${place}) ELSE ${place} END`,
    `CASE WHEN ${isNegative} THEN translate(${digits}, '0123456789', '9876543210') || ':' ELSE ${digits} END`,
  ]
}
