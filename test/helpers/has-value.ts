/** What a field of a page has: a person waits for it, too. */
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { Locator } from 'playwright-core'

const mostMs = 30_000

/** Waits until the field has the value: a file may still be read, or a page drawn. Fails with the value that is there instead. */
export async function hasValue(field: Locator, value: string): Promise<void> {
  const giveUpAt = performance.now() + mostMs
  while ((await field.inputValue()) !== value && performance.now() < giveUpAt) await setTimeout(20)
  assert.equal(await field.inputValue(), value)
}
