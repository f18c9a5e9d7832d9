/** The web app with a manifest of 1.25 MB and 500 streams: opening it, keys in a field and in the text, what is done to streams. */
import type { Browser, Page } from 'playwright-core'
import { stringify } from 'yaml'
import { tasksDuring, type Task } from './main-thread.ts'
import { referringManifest } from './manifests.ts'
import { median } from './median.ts'

const keys = 14
/** After this, nothing that a key started is running any more. */
const quietMs = 500

export async function benchmarkLargeManifest(browser: Browser, url: string): Promise<void> {
  const text = stringify(referringManifest(500))
  await createConnector(url, 'large', text)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('link', { name: 'large' }).first().waitFor()
  console.log(`builder, ${(text.length / 1e6).toFixed(2)} MB of YAML in 500 streams; processor time of the main thread`)
  console.log(row('', 'script', '95 %', 'later script', 'longest task'))

  const opening = await tasksDuring(browser, page, async () => {
    await page.goto(`${url}/connectors/large?part=items_250`)
    await page.getByLabel('Path', { exact: true }).waitFor()
    await page.waitForTimeout(quietMs * 3)
  })
  report('opening', [opening])

  const field = page.getByLabel('Path', { exact: true })
  await field.click()
  await field.press('End')
  const inField = await eachTime(browser, page, () => page.keyboard.press('x'))
  report('a key in a field of the form', inField)

  const names = Array.from({ length: 8 }, (_, index) => `items_${index * 60 + 3}`)
  const switched = await eachTime(browser, page, (round) => openStream(page, names[round] ?? 'items_1'), names.length)
  report('opening another stream', switched)

  // By its keys and its menu, as a person does it; what opens the menu is not measured.
  const rowOf = (name: string) => page.locator('li.stream', { has: page.locator(`a.entry[href$="part=${name}"]`) })
  await rowOf('items_100').locator('a.entry').focus()
  report('moving a stream', await eachTime(browser, page, () => page.keyboard.press('Alt+ArrowDown'), 6))
  const copying: Round[] = []
  for (let round = 0; round < 5; round++) {
    await rowOf(`items_${round * 50 + 20}`)
      .locator('.row-menu')
      .click()
    const choice = page.getByRole('menuitem', { name: 'Duplicate' })
    await choice.focus()
    copying.push(...(await eachTime(browser, page, () => page.keyboard.press('Enter'), 1)))
  }
  report('copying a stream', copying)
  const removing: Round[] = []
  for (let round = 0; round < 5; round++) {
    await rowOf(`items_${round * 50 + 30}`)
      .locator('a.entry')
      .focus()
    removing.push(...(await eachTime(browser, page, () => page.keyboard.press('Delete'), 1)))
  }
  report('removing a stream', removing)
  const adding: Round[] = []
  for (let round = 0; round < 5; round++) {
    await page.getByRole('button', { name: 'Add a stream' }).click()
    await page.keyboard.type(`added_${round}`)
    adding.push(...(await eachTime(browser, page, () => page.keyboard.press('Enter'), 1)))
  }
  report('adding a stream', adding)

  report('undo', await eachTime(browser, page, () => page.keyboard.press('Control+z'), 1))

  await page.goto(`${url}/connectors/large?part=items_250&view=yaml`)
  await page.locator('.cm-content').waitFor()
  await page.waitForTimeout(quietMs * 3)
  await page.locator('.cm-line').nth(12).click()
  await page.keyboard.press('End')
  const inText = await eachTime(browser, page, () => page.keyboard.press('x'))
  report('a key in the text', inText)

  await createConnector(url, 'aliases', withAliases(text))
  await page.goto(`${url}/connectors/aliases?part=items_250&view=yaml`)
  await page.locator('.cm-content').waitFor()
  await page.waitForTimeout(quietMs * 3)
  await page.locator('.cm-line').nth(12).click()
  await page.keyboard.press('Control+Home')
  await page.locator('.cm-line', { hasText: '- data' }).click()
  await page.keyboard.press('End')
  report('a key in what 500 aliases repeat', await eachTime(browser, page, () => page.keyboard.press('x')))
  await context.close()
}

async function createConnector(url: string, name: string, text: string): Promise<void> {
  const created = await fetch(`${url}/v1/connectors`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, text }),
  })
  if (created.status !== 201) throw new Error(`The connector was not created: ${await created.text()}`)
}

/** The selector that all streams refer to, as an anchor and its aliases. */
function withAliases(text: string): string {
  return text
    .replace('  selector:\n', '  selector: &selector\n')
    .replaceAll(/record_selector:\n +\$ref: .*/g, 'record_selector: *selector')
}

async function openStream(page: Page, name: string): Promise<void> {
  // Not by the ways of the test library, whose scripts would be measured too.
  await page.evaluate(`document.querySelector('a.entry[href$="part=${name}"]').click()`)
}

type Round = readonly Task[]

async function eachTime(
  browser: Browser,
  page: Page,
  work: (round: number) => Promise<unknown>,
  rounds = keys,
): Promise<Round[]> {
  const all: Round[] = []
  for (let round = 0; round < rounds; round++) {
    all.push(
      await tasksDuring(browser, page, async () => {
        await work(round)
        await page.waitForTimeout(quietMs)
      }),
    )
  }
  // The first ones run code that is not compiled yet.
  return rounds > 4 ? all.slice(2) : all
}

/** Script up to the first picture, and what follows it: checking, keeping a draft. */
function report(what: string, rounds: readonly Round[]): void {
  const scriptOf = (isBeforePaint: boolean) =>
    rounds.map((tasks) =>
      tasks.reduce((sum, task) => sum + (task.isBeforePaint === isBeforePaint ? task.script : 0), 0),
    )
  const [first, after] = [scriptOf(true), scriptOf(false)]
  const longest = rounds.map((tasks) => Math.max(0, ...tasks.map(({ took }) => took)))
  const highest = first.toSorted((one, other) => one - other)[Math.floor(first.length * 0.95)] ?? 0
  console.log(row(what, ms(median(first)), ms(highest), ms(median(after)), ms(median(longest))))
}

const ms = (value: number) => `${value.toFixed(1)} ms`

function row(what: string, ...figures: readonly string[]): string {
  return `  ${what.padEnd(40)}${figures.map((figure) => figure.padStart(14)).join('')}`
}
