/** What tools of others check in `npm run test:outside`, held here where it costs nothing. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { page } from '../helpers/docs.ts'
import { ask, startBoth } from './running.ts'

test('llms.txt has the parts of its specification: a title, a summary in one line, words, sections of links with notes', async () => {
  await using running = await startBoth()
  const { body } = await ask(`${running.baseUrl}/llms.txt`)
  const [head = '', ...sections] = body.split(/^## /m)
  assert.match(head, /^# \S.*\n\n> \S.{50,}\n\n/)
  assert.equal(body.match(/^# /gm)?.length, 1)
  assert.equal(body.match(/^> /gm)?.length, 1)
  assert.ok(sections.length >= 5)
  for (const section of sections) {
    const [, title = '', links = ''] = /^(\S.*)\n\n((?:.*\n)+)/.exec(section) ?? assert.fail(section)
    for (const line of links.split('\n').filter((one) => one !== '')) {
      assert.match(line, /^- \[[^\]]+\]\(https?:\/\/[^)\s]+\): \S/, title)
    }
  }
  // What a short context may leave out comes last.
  assert.match(sections.at(-1) ?? '', /^Optional\n/)
})

test('the table of the docs names every tool in the version that runs', () => {
  const [, list = ''] = /^const versions = \{\n(.*?)^\}/ms.exec(readFileSync('scripts/cached-tools.js', 'utf8')) ?? []
  const tools = [...list.matchAll(/^ {2}'?([^':]+)'?: '([\d.]+)',$/gm)].map(([, name, version]) => `${name} ${version}`)
  assert.equal(tools.length, list.trim().split('\n').length)
  const table = page('discovery').split(/<!-- \/?outside -->/)[1] ?? ''
  const missing = tools.filter((tool) => !tool.startsWith('node ') && !table.includes(`| ${tool} |`))
  assert.deepEqual(missing, [], 'TURNLEAF_WRITE_DOCS=1 npm run test:outside writes it')
  assert.doesNotMatch(table, /✖/)
})
