/** What a field of a page has: a person waits for it, too. */
import type { Locator } from 'playwright-core'
import { until } from './until.ts'

/** Waits until the field has the value: a file may still be read, or a page drawn. Fails with the value that is there instead. */
export async function hasValue(field: Locator, value: string): Promise<void> {
  let found = ''
  await until(
    () => `the field has ${JSON.stringify(value)}; it has ${JSON.stringify(found)}`,
    async () => (found = await field.inputValue()) === value,
  )
}
