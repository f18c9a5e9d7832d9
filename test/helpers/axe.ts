/** What axe finds wrong with a page as it is shown now. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Finding = { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }

/** Waits until what fades in has stopped; a pulse that shows waiting never stops. */
const settled = `Promise.all(
  document.getAnimations()
    .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime))
    .map(({ finished }) => finished.catch(() => {})))`

/** A table of a hundred rows takes seconds to check, and its rows are drawn alike. */
const moreRows = ':is(tr, [role="row"]):nth-child(n + 6)'

/** What looks different in the other scheme; the rest of the page is the same in both. */
const rulesOfColour = { runOnly: ['color-contrast', 'link-in-text-block'] }

/**
 * By all rules as the page is shown, and by those of colour in the other scheme, light or dark.
 * @param within a selector, where only a part of the page is asked about
 */
export async function assertAccessible(page: Page, where: string, within?: string): Promise<void> {
  await assertAccessibleAsShown(page, where, within)
  await assertColoursOfOther(page, where, within)
}

async function assertAccessibleAsShown(page: Page, where: string, within?: string): Promise<void> {
  // Evaluated, not inserted: the page's own policy lets no foreign script in.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(source)
  assert.deepEqual(await violationsIn(page, within), [], where)
}

async function assertColoursOfOther(page: Page, where: string, within?: string): Promise<void> {
  const isDark = (await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`)) as boolean
  const [shown, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  await page.emulateMedia({ colorScheme: other })
  assert.deepEqual(await violationsIn(page, within, rulesOfColour), [], `${where}, ${other}`)
  await page.emulateMedia({ colorScheme: shown })
}

/** Colours are measured as they are at the end: nothing may be fading in meanwhile. */
async function violationsIn(page: Page, within = 'html', options: object = {}): Promise<string[]> {
  await page.evaluate(settled)
  // Only what is wrong is described: the selectors of what is right take longer than the rules. Nothing is loaded again: that is
  // for sounds and films, of which there are none, and takes a third of the time.
  const asked = [
    { include: [[within]], exclude: [[moreRows]] },
    { ...options, resultTypes: ['violations'], preload: false },
  ]
  const violations = (await page.evaluate(
    `axe.run(...${JSON.stringify(asked)}).then(({ violations }) => violations)`,
  )) as Finding[]
  return violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`)
}

/**
 * At each width, of which the last one stays: accessible, and nothing wider than the window. Cheaper than a story for each. Colours do
 * not depend on the width: those of the other scheme are looked at once.
 */
export async function assertReadable(page: Page, where: string, widths: readonly number[], within?: string) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await assertAccessibleAsShown(page, `${where} at ${width} px`, within)
    await assertFits(page, `${where} at ${width} px`)
  }
  await assertColoursOfOther(page, where, within)
}

/** Nothing is wider than the window, once the page has drawn what it shows in a window of this size. */
export async function assertFits(page: Page, where: string): Promise<void> {
  const tooWideBy = async () => (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number
  // Asked from here: the page's own policy refuses what would ask inside of it.
  let over = await tooWideBy()
  for (let tries = 0; over > 0 && tries < 100; tries++) {
    await setTimeout(50)
    over = await tooWideBy()
  }
  assert.ok(over <= 0, `${where} is ${over} pixels wider than the window`)
}
