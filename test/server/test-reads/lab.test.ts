import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { loadManifest } from '../../../src/connector/load-manifest.ts'
import { stringifyJson } from '../../../src/std/json.ts'
import { startLab } from '../../../src/lab/lab.ts'
import { readRecords } from '../../../src/read-manifest.ts'
import type { RecordsPart } from '../../../src/server/wire/test-read.ts'
import { collect } from '../../helpers/collect.ts'
import { jsonOf, testApi } from '../api.ts'
import { endOf, idOf, pagesIn, readEvents } from './ask.ts'

const api = testApi()
after(() => api[Symbol.dispose]())
const lab = await startLab({ size: 250 })
after(() => lab.close())

const text = readFileSync('connectors/lab/manifest.yaml', 'utf8')
const manifest = loadManifest(text)
const config = { base_url: lab.url, page_size: 60 }
const limits = { maxPages: 1000, maxSlices: 1000, maxRecords: 1_000_000 }

describe('a test read of the lab brings what a sync would', () => {
  for (const { name } of manifest.streams) {
    const stream = String(name)
    test(stream, async () => {
      const events = await readEvents(api, { text, config, stream, ...limits })
      const end = endOf(events)
      assert.equal(end.problem, null)
      assert.equal(end.ending, 'complete')
      const pages = pagesIn(events)
      assert.equal(end.pages, pages.length)
      assert.ok(pages.length > 0)
      assert.ok(pages.at(-1)?.stop, 'the last page says why it is the last')
      assert.ok(pages.at(-1)?.stopWords)
      assert.equal(events.filter(({ kind }) => kind === 'asked').length, pages.length)

      const records: unknown[] = []
      for (const { slice, page, emitted } of pages) {
        const path: string = `/v1/test-reads/${idOf(events)}/slices/${slice}/pages/${page}/records?count=10000`
        const part: RecordsPart = await jsonOf(await api.get(path))
        assert.equal(part.total, emitted)
        records.push(...part.records)
      }
      const expected = await collect(readRecords(manifest, { stream, config }))
      assert.equal(stringifyJson(records), stringifyJson(expected))
      assert.equal(end.emitted, expected.length)
    })
  }
})

describe('a test read says why it stopped, with the figures', () => {
  const words = async (stream: string, changes: object = {}) => {
    const events = await readEvents(api, { text, config, stream, ...limits, ...changes })
    return { stopWords: pagesIn(events).at(-1)?.stopWords, ending: endOf(events).ending, end: endOf(events) }
  }

  test('a short page', async () => {
    const { stopWords, end } = await words('offset')
    assert.equal(stopWords, 'short page: 10 of 60 requested')
    assert.equal(end.verdict, 'complete')
  })

  test('no cursor, and where it was looked for', async () => {
    assert.equal((await words('next_url')).stopWords, 'no cursor at response.links.next')
  })

  test('the limit of pages', async () => {
    const { stopWords, ending, end } = await words('offset', { maxPages: 2 })
    assert.equal(stopWords, 'page limit: 2 pages per slice')
    assert.equal(ending, 'limit')
    assert.equal(end.pages, 2)
    assert.equal(end.verdict, null)
  })

  test('the record limit: no page is requested after it', async () => {
    const { stopWords, ending, end } = await words('page', { maxRecords: 100 })
    assert.equal(stopWords, 'record limit: 100 records')
    assert.equal(ending, 'limit')
    assert.equal(end.pages, 2)
    assert.equal(end.emitted, 120)
  })

  test('a stream that has no pages', async () => {
    assert.equal((await words('all')).stopWords, 'not paginated: one request')
  })
})
