import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { loadManifest } from '../../../src/connector/load-manifest.ts'
import { stringifyJson } from '../../../src/json.ts'
import { startLab } from '../../../src/lab/lab.ts'
import { readRecords } from '../../../src/read.ts'
import { createApi } from '../../../src/server/server.ts'
import { collect } from '../../helpers/collect.ts'
import { testServices } from '../services.ts'
import { endOf, jsonOf, pagesIn, readEvents } from './ask.ts'
import type { RecordsPart } from '../../../src/server/wire/test-read.ts'

const facts = { baseUrl: 'https://turnleaf.example', apiUrl: 'https://api.turnleaf.example', version: '0.1.0' }
const services = testServices()
after(() => services[Symbol.dispose]())
const app = createApi(facts, services)
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
      const events = await readEvents(app, { text, config, stream, ...limits })
      const [started] = events
      assert.equal(started?.kind, 'started')
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
        const path: string = `/v1/test-reads/${started.id}/slices/${slice}/pages/${page}/records`
        const part: RecordsPart = await jsonOf<RecordsPart>(await app.request(`${path}?count=10000`))
        assert.equal(part.total, emitted)
        records.push(...part.records)
      }
      const expected = await collect(readRecords(manifest, { stream, config }))
      assert.equal(stringifyJson(records), stringifyJson(expected))
      assert.equal(end.emitted, expected.length)
    })
  }
})
