/** What axe finds wrong with a page as it is shown now. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Finding = { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }

/** Waits until what fades in has stopped; a pulse that shows waiting never stops. */
const settled = `Promise.all(
  document.getAnimations()
    .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime))
    .map(({ finished }) => finished.catch(() => {})))`

/**
 * Colours are measured as they are at the end: nothing may be fading in meanwhile.
 * @param within a selector, where only a part of the page is asked about
 */
export async function assertAccessible(page: Page, where: string, within = 'html'): Promise<void> {
  await page.evaluate(settled)
  // Evaluated, not inserted: the page's own policy lets no foreign script in.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(source)
  // Only what is wrong is described: the selectors of what is right take longer than the rules.
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(within)}, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )) as Finding[]
  const told = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`,
  )
  assert.deepEqual(told, [], where)
}

/** Nothing is wider than the window. */
export async function assertFits(page: Page, where: string): Promise<void> {
  const over = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number
  assert.ok(over <= 0, `${where} is ${over} pixels wider than the window`)
}
