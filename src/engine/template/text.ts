/** What the stages after a template need of its value: its text, its truth, its description. */
import { describe } from './values/describe.ts'
import { truthy } from './values/equality.ts'
import { str } from './values/python-text.ts'
import type { Value } from './values/value.ts'

/** As Python's `str()` writes it: `True`, `2.0`, `['a', 1]`. Strings stay as they are. */
export function pythonText(value: unknown): string {
  return typeof value === 'string' ? value : str((value ?? null) as Value)
}

/** Python's truth: `0`, `''`, `[]`, `{}` and None are false. */
export function isTruthy(value: unknown): boolean {
  return truthy((value ?? null) as Value)
}

/** For errors: the type, and a glimpse of the value. */
export function describeValue(value: unknown): string {
  return describe(value)
}
