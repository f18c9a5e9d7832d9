/** The sample connector keeps up with the lab: one stream for every dialect and every door. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { load } from 'js-yaml'
import { dialects } from '../../src/lab/dialects.ts'
import { schemes } from '../../src/lab/secure.ts'

type Stream = { name: string; retriever: { requester: { path: string; http_method?: string } } }

test('every dialect of the lab has a stream in its connector', () => {
  const { streams } = load(readFileSync('connectors/lab/manifest.yaml', 'utf8')) as { streams: Stream[] }
  const asked = streams.map(({ retriever: { requester } }) => {
    const path = requester.path.replace(/\{\{.*\}\}/, '{page}')
    return `${requester.http_method ?? 'GET'} ${path}`
  })
  for (const { method, path } of dialects) assert.ok(asked.includes(`${method} ${path}`), `no stream reads ${path}`)
  for (const scheme of Object.keys(schemes)) assert.ok(asked.some((ask) => ask.startsWith(`GET /secure/${scheme}/`)))
})
