/** What a browser has to load before it shows something: bytes, as the server sends them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { neededFiles } from '../../../src/server/built-files.ts'
import { createApi } from '../../../src/server/server.ts'
import { testServices } from '../../server/services.ts'

const folder = 'dist/builder'

function packedKilobytes(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0) / 1024
}

const page = readFileSync(join(folder, 'index.html'), 'utf8')
const named = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => file ?? '')

test('the list of connectors loads less than 180 KB', () => {
  assert.ok(named.some((file) => file.endsWith('.css')))
  for (const file of neededFiles(folder, 'index.html')) assert.ok(named.includes(file), `${file} is named in advance`)
  const size = packedKilobytes(named)
  assert.ok(size > 50 && size < 180, `${size} KB`)
})

test('the editor loads less than 300 KB, all of it named in advance, and without its rarer parts', async () => {
  const editor = neededFiles(folder, 'editor/editor-page.tsx')
  const size = packedKilobytes([...new Set([...named, ...editor])])
  assert.ok(size > 150 && size < 300, `${size} KB`)
  const built = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as Record<string, { file: string }>
  const rare = [
    'yaml/yaml-editor',
    'sync/sync-page',
    'survey/survey-view',
    'diagnosis/diagnosis-view',
    'playground/playground',
  ]
  for (const part of rare) assert.ok(!editor.includes(built[`${part}.tsx`]?.file ?? ''), part)

  await using services = testServices()
  const app = createApi({ baseUrl: 'http://127.0.0.1:1', apiUrl: 'http://127.0.0.1:2', version: '0' }, services)
  const opened = await app.request('http://127.0.0.1:2/connectors/shop')
  const links = opened.headers.get('link') ?? ''
  for (const file of editor) assert.ok(links.includes(`</${file}>; rel=modulepreload`), file)
  const list = await app.request('http://127.0.0.1:2/')
  assert.equal(list.headers.get('link'), null)
})
