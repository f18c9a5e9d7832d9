/** How streams turn their pages, and which faults make sense for them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Component } from '../../../src/engine/manifest/manifest.ts'
import { loadManifest } from '../../../src/index.ts'
import { findFault } from '../../../src/lab/faults.ts'
import { pagingOf } from '../../../src/lab/mirror/paging.ts'
import { traitsOf, whyNot } from '../../../src/lab/survey/survey-stream.ts'
import { cursorPaginator, manifestOf, offsetPaginator } from '../../helpers/manifests.ts'

function traits(paginator?: Record<string, unknown>) {
  const manifest = loadManifest(manifestOf(paginator === undefined ? {} : { paginator }))
  return traitsOf(pagingOf(manifest.streams[0]?.retriever as Component, {}))
}

const offset = traits(offsetPaginator())
const cursor = traits(cursorPaginator('{{ response.next }}'))
const link = traits({ ...cursorPaginator('{{ response.next }}'), page_token_option: { type: 'RequestPath' } })
const after = traits(cursorPaginator("{{ last_record['id'] }}", '{{ not response.has_more }}'))
const one = traits()

const rows: [string, readonly ReturnType<typeof traits>[number][], string, string | null][] = [
  ['an offset has no cursor', offset, 'expired-cursor', 'no cursor is handed out'],
  [
    'an offset API names no next page',
    offset,
    'repeated-cursor',
    'the manifest does not ask the API which page is next',
  ],
  ['an offset may be refused on the first request', offset, 'rejects-first', null],
  ['a cursor may be repeated', cursor, 'repeated-cursor', null],
  ['a cursor is no link', cursor, 'foreign-link', 'the next page is not requested by a link'],
  ['a link may lead elsewhere', link, 'foreign-link', null],
  ['a link may expire, too', link, 'expired-cursor', null],
  [
    'a client that continues from a record needs one',
    after,
    'empty-page',
    'the read continues from the last record of a page',
  ],
  ['a client that continues from a record has no cursor', after, 'expired-cursor', 'no cursor is handed out'],
  ['one page cannot go in circles', one, 'cycle', 'the stream reads one page'],
  ['one page may be requested too fast', one, 'rate-limit', null],
  ['any API may count wrongly', cursor, 'wrong-total', null],
]

for (const [name, of, fault, why] of rows) {
  test(name, () => {
    const found = findFault(fault)
    assert.ok(found)
    assert.equal(whyNot(found, of, true), why)
  })
}
