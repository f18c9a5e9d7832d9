/** A stream against an API that misbehaves: started from the test panel, reported fault by fault. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { assertReadable } from '../helpers/axe.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { writeConnector } from './manifests.ts'
import { offsetManifest, panelOf } from './panel-story.ts'

describe('a survey in the test panel', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  before(async () => {
    builder = await startBuilder()
    writeConnector(builder.home, 'shop', offsetManifest(builder.lab, { items: { path: '/offset', pageSize: 100 } }))
  })
  afterEach(() => builder.closeTabs())
  after(() => builder[Symbol.asyncDispose]())

  test('says what becomes of each fault, without an input or a request, on a phone too', async () => {
    const viewport = { width: 390, height: 900 }
    const { page, complaints } = await builder.open('/connectors/shop?part=items', { viewport })
    await page.getByRole('group', { name: 'What to do' }).getByText('Test').click()
    await panelOf(page).getByRole('button', { name: 'More tests' }).click()
    await page.getByRole('menuitem', { name: 'Stress test: a misbehaving API' }).click()
    const view = panelOf(page).getByRole('region', { name: 'Stress test' })
    await view
      .locator('.sum')
      .getByText(/^Survives \d+ of \d+ faults, reports \w+, misses \w+$/)
      .waitFor()

    const rows = view.getByRole('table').getByRole('row')
    const told = rows.filter({ has: page.getByRole('rowheader', { name: /html/ }) })
    await told.getByText('Reports').waitFor()
    // Those that need attention come first.
    const outcomes = await view.locator('tbody .outcome').allInnerTexts()
    const order = ['Misses', 'Reports', 'Survives', 'Does not apply']
    assert.deepEqual(
      outcomes,
      outcomes.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)),
    )
    assert.ok(outcomes.length > 10)
    await assertReadable(page, 'the survey', [390, 1440])
    assert.deepEqual(complaints, [])
  })

  test('is cancelled by a button, and begun again', async () => {
    const { page } = await builder.open('/connectors/shop?part=items')
    // The response is held back, so that there is something to cancel.
    let letGo: () => void = () => {}
    const isHeld = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/v1/surveys', async (route) => {
      await isHeld
      await route.continue().catch(() => {})
    })
    await panelOf(page).getByRole('button', { name: 'More tests' }).click()
    await page.getByRole('menuitem', { name: 'Stress test: a misbehaving API' }).click()
    const view = panelOf(page).getByRole('region', { name: 'Stress test' })
    await view.getByRole('button', { name: 'Cancel' }).click()
    await view.getByText('The stress test was cancelled.').waitFor()
    letGo()
    await page.unroute('**/v1/surveys')
    await view.getByRole('button', { name: 'Try again' }).click()
    await view.locator('.sum').waitFor()
  })
})
