/**
 * The pictures of the builder on the homepage: made from the running product by `npm run screenshots`, and held to it.
 * Colours and sizes may change unnoticed; what the builder shows may not.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { picture, pictureFile } from '../../src/site/homepage/picture.ts'
import { noBrowser, type RunningBuilder, startBuilder } from '../builder/browser.ts'
import { panelOf } from '../builder/panel-story.ts'

const labelsFile = 'docs/pictures/builder.json'
const isWriting = process.env.TURNLEAF_WRITE_PICTURES === '1'
const schemes = ['light', 'dark'] as const

describe('the pictures of the builder', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  before(async () => {
    builder = await startBuilder()
    await builder.create('shop', shopText(builder.lab))
  })
  after(() => builder[Symbol.asyncDispose]())

  /** A stream, tested to its end. */
  async function show(colorScheme: 'light' | 'dark'): Promise<Page> {
    const { page } = await builder.open('/connectors/shop', {
      colorScheme,
      viewport: { width: picture.width, height: picture.height },
      deviceScaleFactor: picture.scale,
      reducedMotion: 'reduce',
    })
    // Folded, so that pagination is seen.
    for (const name of ['Request', 'Records']) await page.getByRole('button', { name, exact: true }).click()
    await panelOf(page)
      .getByRole('button', { name: /^Test / })
      .click()
    await panelOf(page)
      .getByText(/250 records/)
      .first()
      .waitFor()
    await panelOf(page).getByRole('tab', { name: 'Receipt' }).click()
    await page.mouse.move(0, 0)
    return page
  }

  /** What a person could read and press: figures and times apart, which differ from run to run. */
  async function labelsOf(page: Page): Promise<string[]> {
    const texts = await page.locator('h1, h2, h3, button, label, [role=tab], summary').allInnerTexts()
    const plain = texts.map((text) =>
      text
        .replace(/\d[\d.,]*( ?(ms|s|B|KB))?/g, '#')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    return [...new Set(plain)].filter((text) => text !== '').toSorted()
  }

  test('show what the builder shows today (npm run screenshots makes them)', async () => {
    const page = await show('light')
    const labels = await labelsOf(page)
    assert.ok(labels.length > 15, labels.join())
    // The docs inside the app: the server leads to the page of the public site.
    const link = page.getByRole('link', { name: 'Docs: Pagination' })
    assert.equal(await link.getAttribute('href'), '/docs/pagination')
    if (isWriting) writeFileSync(labelsFile, `${JSON.stringify(labels, null, 2)}\n`)
    assert.deepEqual(labels, JSON.parse(readFileSync(labelsFile, 'utf8')))
  })

  const whenWriting = isWriting ? test : () => {}
  void whenWriting('are written when asked for', async () => {
    for (const scheme of schemes) {
      const page = await show(scheme)
      const png = await page.screenshot({ type: 'png' })
      // A browser is the only encoder of WebP here.
      const blank = await builder.browser.newPage()
      const webp = await blank.evaluate(
        `(async () => {
          const image = new Image()
          image.src = 'data:image/png;base64,${png.toString('base64')}'
          await image.decode()
          const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
          canvas.getContext('2d').drawImage(image, 0, 0)
          return canvas.toDataURL('image/webp', ${picture.quality}).split(',')[1]
        })()`,
      )
      writeFileSync(`docs/pictures/${pictureFile(scheme)}`, Buffer.from(String(webp), 'base64'))
      await blank.close()
    }
  })
})

/** Three streams of the lab under the names of a shop. */
function shopText(lab: string): string {
  const option = (name: string) => `{ type: RequestOption, inject_into: request_parameter, field_name: ${name} }`
  const stream = (name: string, path: string) => `
  - type: DeclarativeStream
    name: ${name}
    primary_key: id
    retriever:
      type: SimpleRetriever
      requester: { type: HttpRequester, url_base: ${lab}, path: ${path} }
      record_selector:
        type: RecordSelector
        extractor: { type: DpathExtractor, field_path: [data] }
      paginator:
        type: DefaultPaginator
        pagination_strategy: { type: OffsetIncrement, page_size: 100 }
        page_size_option: ${option('limit')}
        page_token_option: ${option('offset')}`
  return `version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [orders] }
streams:${['orders', 'customers', 'payments'].map((name) => stream(name, '/offset')).join('')}
`
}

describe('the files of the pictures', () => {
  for (const scheme of schemes) {
    test(`${scheme}: a WebP of the size that the page reserves for it, and small`, () => {
      const file = `docs/pictures/${pictureFile(scheme)}`
      assert.ok(existsSync(file))
      const bytes = readFileSync(file)
      assert.equal(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 15), 'RIFFWEBPVP8')
      assert.ok(bytes.length <= 60 * 1024, `${bytes.length} bytes`)
      // RFC 9649 §2.5: the size is after the start code of the frame.
      const start = bytes.indexOf(Buffer.from([0x9d, 0x01, 0x2a]))
      const size = [bytes.readUInt16LE(start + 3) & 0x3fff, bytes.readUInt16LE(start + 5) & 0x3fff]
      assert.deepEqual(size, [picture.width * picture.scale, picture.height * picture.scale])
    })
  }
})
