/** The text of a connector, edited in a real browser: one document with the form, problems next to the lines. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../helpers/axe.ts'
import { hasValue } from '../helpers/has-value.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { readConnector, writeConnector } from './manifests.ts'
import { cursorManifest } from './text-story.ts'

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Manifest as YAML' })
const problemsOf = (page: Page) => page.getByRole('list', { name: 'Problems' }).getByRole('button')
const textOf = async (page: Page) => (await editorOf(page).innerText()).replaceAll('\u200b', '')

/** Puts the cursor at the end of the line that has these words. */
async function goToLine(page: Page, words: string): Promise<void> {
  await editorOf(page).locator('.cm-line', { hasText: words }).first().click()
  await page.keyboard.press('End')
}

describe('the text of a connector', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  before(async () => {
    builder = await startBuilder()
  })
  afterEach(() => builder.closeTabs())
  after(() => builder[Symbol.asyncDispose]())

  const open = async (name: string, query = '?view=yaml', text = cursorManifest(builder.lab)) => {
    writeConnector(builder.home, name, text)
    const opened = await builder.open(`/connectors/${name}${query}`)
    return opened
  }

  test('is shown in an editor that the page’s policy blocks nothing of', async () => {
    const { page, complaints } = await open('shown')
    await editorOf(page).waitFor()
    assert.match(await textOf(page), /# written by hand/)
    // Styles are adopted: the page has no inline ones, and the editor is styled all the same.
    assert.equal(await page.locator('style').count(), 0)
    const face = await editorOf(page).evaluate(
      (element) => element.ownerDocument.defaultView.getComputedStyle(element).whiteSpace,
    )
    assert.equal(face, 'pre')
    assert.ok((await page.locator('.yaml-editor .template-name').count()) > 0, 'templates are coloured')
    assert.deepEqual(complaints, [])
  })

  test('broken while it is typed, it names line and column, and the form keeps what it last said', async () => {
    const { page, complaints } = await open('broken')
    await goToLine(page, 'path: /cursor')
    await page.keyboard.type('\n[')
    const problem = problemsOf(page).first()
    await problem.waitFor()
    assert.match(await problem.innerText(), /error[\s\S]*not readable[\s\S]*line \d+, column \d+/)
    assert.ok((await page.locator('.yaml-editor .cm-lint-marker-error').count()) > 0)

    await page.getByRole('button', { name: 'Form', exact: true }).click()
    const path = page.getByRole('textbox', { name: /^Path/ })
    await path.waitFor()
    await hasValue(path, '/cursor')
    // An edit of what the text last said would throw away what was written since.
    assert.ok(await path.isDisabled())
    await page.getByRole('link', { name: 'Inputs' }).click()
    assert.ok(await page.getByRole('button', { name: 'Add input' }).isDisabled())
    await page.getByRole('link', { name: 'orders', exact: true }).press('Delete')
    await page.getByText('Fix it first.').waitFor()
    const add = page.getByRole('button', { name: 'Add a stream' })
    assert.equal(await add.getAttribute('aria-disabled'), 'true')
    assert.match((await add.getAttribute('title')) ?? '', /cannot be read at line \d+\. Fix it first\./)
    await add.click({ force: true })
    assert.equal(await page.getByRole('form', { name: 'New stream' }).count(), 0)
    await page.getByRole('link', { name: 'orders', exact: true }).press('F2')
    assert.equal(await page.getByLabel('New name of').count(), 0)
    await page.keyboard.press('Control+Enter')
    const failed = page.getByRole('alert', { name: 'What went wrong' })
    await failed.waitFor()
    assert.match(await failed.innerText(), /Correct the YAML or JSON at line \d+, column \d+/)

    await page.getByRole('button', { name: /^Show line \d+ in YAML$/ }).click()
    await editorOf(page).waitFor()
    assert.match(await textOf(page), /path: \/cursor\n\s*\[/)
    await goToLine(page, '[')
    await page.keyboard.press('Control+z')
    await page.locator('.problem-list', { hasText: 'No problems' }).waitFor()
    assert.equal(await page.getByText('Fix it first.').count(), 0, 'it is fixed')
    assert.equal(await add.getAttribute('aria-disabled'), null)
    assert.deepEqual(complaints, [])
  })

  test('comments and unknown keys survive the form, byte for byte', async () => {
    const { page, complaints } = await open('kept', '')
    await page.getByRole('textbox', { name: /^Path/ }).fill('/cursor-two')
    await page.keyboard.press('Control+s')
    await page.getByText('saved', { exact: false }).first().waitFor()
    await assertEventually(() => readConnector(builder.home, 'kept').includes('/cursor-two'))
    assert.equal(
      readConnector(builder.home, 'kept'),
      cursorManifest(builder.lab).replace('path: /cursor\n', 'path: /cursor-two\n'),
    )
    assert.deepEqual(complaints, [])
  })

  test('a problem is shown next to its line, in the list, in the header, and next to its field', async () => {
    const wrong = cursorManifest(builder.lab).replace('inject_into: request_parameter', 'inject_into: nowhere')
    const { page, complaints } = await open('wrong', '?view=yaml', wrong)
    const problem = problemsOf(page).first()
    await problem.waitFor()
    assert.match(await problem.innerText(), /nowhere/)
    await page.locator('.yaml-editor .cm-lint-marker-error').first().waitFor()

    await page.getByRole('button', { name: /\d problems?$/ }).press('ArrowDown')
    await page
      .getByRole('menuitem', { name: /nowhere/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    const line = page.locator('.yaml-editor .cm-activeLine')
    await line.filter({ hasText: 'nowhere' }).waitFor()

    await page.getByRole('button', { name: 'Form', exact: true }).click()
    await page.locator('.field .problems', { hasText: 'nowhere' }).first().waitFor()
    assert.deepEqual(complaints, [])
  })

  test('one way back leads over form and text', async () => {
    const { page, complaints } = await open('back', '')
    await page.getByRole('textbox', { name: /^Path/ }).fill('/from-form')
    await page.getByRole('button', { name: 'YAML', exact: true }).click()
    await goToLine(page, 'path: /from-form')
    await page.keyboard.type('-and-text')
    assert.match(await textOf(page), /path: \/from-form-and-text/)
    await page.keyboard.press('Control+z')
    assert.match(await textOf(page), /path: \/from-form\n/)
    await page.keyboard.press('Control+z')
    assert.match(await textOf(page), /path: \/cursor\n/)
    await page.keyboard.press('Control+Shift+Z')
    assert.match(await textOf(page), /path: \/from-form\n/)
    assert.deepEqual(complaints, [])
  })

  test('keys of the page are letters in it', async () => {
    const { page, complaints } = await open('letters')
    await goToLine(page, 'path: /cursor')
    await page.keyboard.type('/x?y')
    assert.match(await textOf(page), /path: \/cursor\/x\?y/)
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('keys and types that the manifest may have are offered, and written by the keyboard', async () => {
    const { page, complaints } = await open('offers')
    await goToLine(page, 'type: CursorPagination')
    await page.keyboard.type('\npa')
    const options = page.locator('.cm-tooltip-autocomplete [role=option]')
    await options.filter({ hasText: 'page_size' }).waitFor()
    assert.match(await options.first().innerText(), /page_size[\s\S]*a whole number or text/)
    // The editor takes no key for a choice that was hardly to be seen yet; a picture takes longer than that.
    await page.screenshot()
    await page.keyboard.press('Enter')
    await options.first().waitFor({ state: 'detached' })
    await page.keyboard.type('50')
    assert.match(await textOf(page), /\n {10}page_size: 50\n/)
    assert.deepEqual(complaints, [])
  })

  test('switching views keeps one’s place, both ways', async () => {
    const { page, complaints } = await open('places', '')
    const stop = page.getByRole('textbox', { name: /^Stop condition/ })
    await stop.click()
    await page.getByRole('button', { name: 'YAML', exact: true }).click()
    await page.locator('.yaml-editor .cm-activeLine', { hasText: 'stop_condition' }).waitFor()
    await goToLine(page, 'path: /cursor')
    await page.getByRole('button', { name: 'Show in form' }).click()
    const path = page.getByRole('textbox', { name: /^Path/ })
    await path.waitFor()
    assert.ok(await path.evaluate((element) => element === element.ownerDocument.activeElement))
    assert.deepEqual(complaints, [])
  })

  test('Tab indents, and after Esc it leaves', async () => {
    const { page, complaints } = await open('tab')
    await goToLine(page, 'version: 6.0.0')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('# in')
    assert.match(await textOf(page), /\n {2}# in\n/)
    // The editor forgets Esc after two seconds, which a busy machine may let pass.
    const focused = () => page.evaluate('document.activeElement.textContent')
    for (let tries = 0; tries < 3 && (await focused()) !== 'Show in form'; tries++) {
      await page.keyboard.press('Escape')
      await page.keyboard.press('Tab')
    }
    assert.equal(await focused(), 'Show in form')
    assert.deepEqual(complaints, [])
  })

  test('line breaks stay what they were', async () => {
    const { page, complaints } = await open(
      'breaks',
      '?view=yaml',
      cursorManifest(builder.lab).replaceAll('\n', '\r\n'),
    )
    await goToLine(page, 'path: /cursor')
    await page.keyboard.type('-x')
    await page.keyboard.press('Control+s')
    await assertEventually(() => readConnector(builder.home, 'breaks').includes('/cursor-x'))
    const expected = cursorManifest(builder.lab).replace('path: /cursor\n', 'path: /cursor-x\n')
    assert.equal(readConnector(builder.home, 'breaks'), expected.replaceAll('\n', '\r\n'))
    assert.deepEqual(complaints, [])
  })

  test('a megabyte of it can be typed into', async () => {
    const note = `# ${'x'.repeat(98)}\n`.repeat(10_000)
    const { page, complaints } = await open('large', '?view=yaml', note + cursorManifest(builder.lab))
    await editorOf(page).waitFor()
    await editorOf(page).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('# at the end')
    await page.locator('.yaml-editor .cm-line', { hasText: '# at the end' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('is accessible with problems', async () => {
    const wrong = cursorManifest(builder.lab).replace('inject_into: request_parameter', 'inject_into: nowhere')
    writeConnector(builder.home, 'axe', wrong)
    const { page, complaints } = await builder.open('/connectors/axe?view=yaml')
    await problemsOf(page).first().waitFor()
    await assertAccessible(page, 'yaml')
    await page.keyboard.press('Tab')
    await editorOf(page).click()
    await page.keyboard.press('Control+f')
    await page.getByRole('textbox', { name: 'Find' }).waitFor()
    await assertAccessible(page, 'search')
    assert.deepEqual(complaints, [])
  })
})

/** Waits for what happens on disk, which no page shows. */
async function assertEventually(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !isSo(); tries++) await new Promise((done) => setImmediate(done))
  for (const end = Date.now() + 5000; !isSo() && Date.now() < end; ) await new Promise((done) => setTimeout(done, 20))
  assert.ok(isSo())
}
