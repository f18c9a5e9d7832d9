/** A last page without its envelope, or without its Link header, ends the read; a template that is wrong stays an error. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadManifest, type Page, readPages } from '../../../src/index.ts'
import { cursorPaginator, manifestOf } from '../../helpers/manifests.ts'
import { type Answer, serveApi } from '../../helpers/serve-api.ts'

type Ended = { ids: unknown[]; stop: string | null; error: string | null; warnings: string[] }

/** Serves these answers one after the other, each with one record, and reads them all. */
async function read(answers: readonly Answer[], cursor: string, stop?: string): Promise<Ended> {
  let served = 0
  await using api = await serveApi({
    '*': () => {
      const answer = answers[served++]
      if (answer === undefined) return { status: 404 }
      return { ...answer, json: { data: [{ id: served }], ...(answer.json as object) } }
    },
  })
  const warnings: string[] = []
  const pages: Page[] = []
  let error: string | null = null
  const options = {
    config: {},
    onNotice: (notice: { kind: string; text?: string }) => {
      if (notice.kind === 'warning') warnings.push(notice.text ?? '')
    },
  }
  try {
    const manifest = loadManifest(manifestOf({ url: api.url, paginator: cursorPaginator(cursor, stop) }))
    for await (const page of readPages(manifest, options)) pages.push(page)
  } catch (thrown) {
    error = (thrown as { code: string }).code
  }
  const ids = pages.flatMap((page) => page.records.map(({ id }) => id))
  return { ids, stop: pages.at(-1)?.stop ?? null, error, warnings }
}

const quiet = (stop: string, ids: unknown[] = [1, 2]): Ended => ({ ids, stop, error: null, warnings: [] })
const withLink = { headers: { link: '</items?cursor=2>; rel="next"' }, json: {} }
const more = { json: { paging: { next: 'b', more: true } } }
const bare = { json: {} }

describe('a cursor value that the last page does not have is no cursor', () => {
  for (const [cursor, last] of [
    ['{{ response.paging.next }}', {}],
    ["{{ response['paging']['next'] }}", {}],
    ["{{ response.get('paging').get('next') }}", {}],
    ["{{ response.paging.get('next') }}", {}],
    ["{{ response.paging.next.split('=')[0] }}", {}],
    ["{{ response.paging.next.split('=')[0] }}", { paging: { next: null } }],
    ["{{ response.paging.next | regex_search('(.+)') }}", { paging: null }],
    ["{{ response.paging.next | regex_search('(.+)') }}", { paging: { next: null } }],
    ["{{ response.paging['next'] ~ '' if response.paging.more }}", {}],
  ] as const) {
    test(`${cursor} and ${JSON.stringify(last)}`, async () => {
      assert.deepEqual(await read([more, { json: last }], cursor), quiet('no-cursor'))
    })
  }

  for (const cursor of ['{{ headers.link.next.url }}', "{{ headers['link']['next']['url'] }}"]) {
    test(`${cursor} without a Link header`, async () => {
      assert.deepEqual(await read([withLink, bare], cursor), quiet('no-cursor'))
    })
  }

  test('the last record of an empty page', async () => {
    const empty = { json: { data: [] } }
    assert.deepEqual(await read([bare, empty], "{{ last_record.get('id') }}"), quiet('no-cursor', [1]))
    assert.deepEqual(await read([bare, empty], "{{ last_records[-1]['id'] }}"), quiet('no-cursor', [1]))
  })
})

describe('a stop condition', () => {
  test('a missing chain is false, as in Airbyte: the cursor decides', async () => {
    const stop = '{{ not response.paging.more }}'
    assert.deepEqual(await read([more, more, bare], '{{ response.paging.next }}', stop), quiet('no-cursor', [1, 2, 3]))
    const counted = await read([bare, { json: { data: [] } }], '{{ last_record.id }}', stop)
    assert.deepEqual(counted, quiet('no-cursor', [1]))
  })

  for (const stop of [
    `{{ 'rel="next"' not in headers.get('Link') }}`,
    `{{ 'rel="next"' not in headers['Link'] }}`,
    "{{ 'next' not in headers['link'] }}",
    "{{ not 'next' in headers.get('Link') }}",
    "{{ headers.get('Link') | length == 0 }}",
  ]) {
    test(`${stop} ends the read where the header is not sent`, async () => {
      const ended = await read([withLink, bare], "{{ headers['link'].get('next', {}).get('url', 'x') }}", stop)
      assert.deepEqual(ended, quiet('stop-condition'))
    })
  }

  test('looking into a null or absent envelope ends the read, as in Airbyte', async () => {
    const cursor = "{{ (response.get('paging') or {}).get('next', 'c') }}"
    for (const last of [{}, { paging: null }]) {
      const ended = await read([more, { json: last }], cursor, "{{ 'next' not in response.get('paging') }}")
      assert.deepEqual(ended, quiet('stop-condition'))
    }
    const compared = await read(
      [{ json: { page: 1, pages: 2 } }, { json: { page: 2, pages: null } }],
      '{{ response.page }}',
      '{{ response.page >= response.pages }}',
    )
    assert.deepEqual(compared, quiet('stop-condition'))
  })
})

describe('what is wrong whatever a page says stays an error', () => {
  for (const [template, code] of [
    ["{{ 1 + 'a' }}", 'template/wrong-type'],
    ['{{ response.data + 1 }}', 'template/wrong-type'],
    ['{{ response.paging.next + 1 }}', 'template/wrong-type'],
    ['{{ respons.next }}', 'template/unknown-name'],
    ['{{ next_token(response) }}', 'template/unknown-name'],
    ["{{ response.gett('paging') }}", 'template/undefined'],
    ["{{ response.data.get('next') }}", 'template/undefined'],
    ['{{ response.paging.next.foo() }}', 'template/undefined'],
    ['{{ 1 / 0 }}', 'template/failed'],
  ] as const) {
    test(template, async () => {
      assert.deepEqual(await read([more, bare], template), { ids: [1], stop: 'error', error: code, warnings: [] })
    })
  }

  test('other templates keep their errors', async () => {
    await using api = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }] } }) })
    const manifest = manifestOf({ url: api.url, requester: { path: '{{ config.shop.id }}' } })
    const pages = readPages(loadManifest(manifest), { config: {} })
    await assert.rejects(() => pages.next(), { code: 'template/undefined' })
    assert.deepEqual(api.asked, [])
  })
})

describe('a place that no page has is reported with the name it is near to', () => {
  for (const [cursor, body, expected] of [
    ['{{ response.pagging.next }}', { paging: { next: 'b' } }, 'response.paging.next'],
    ["{{ response.get('paging', {}).get('nextt') }}", { paging: { next: 'b' } }, 'response.paging.next'],
    ["{{ response['next_page'] }}", { nextPage: 'b' }, 'response.nextPage'],
    ['{{ response.links.next }}', { _links: { next: 'b' } }, 'response._links.next'],
    ["{{ response['@odata.nextlink'] }}", { '@odata.nextLink': 'b' }, "response['@odata.nextLink']"],
    ['{{ last_record.idd }}', {}, 'last_record.id'],
    ['{{ last_record.craeted_at }}', { data: [{ id: 1, created_at: 5 }] }, 'last_record.created_at'],
  ] as const) {
    test(cursor, async () => {
      const { warnings, ids, error } = await read([{ json: body }, bare], cursor)
      assert.deepEqual([ids, error], [[1], null])
      assert.equal(warnings.length, 1, warnings.join())
      assert.ok(warnings[0]?.endsWith(`the cursor value reads. Did you mean \`${expected}\`?`), warnings[0])
    })
  }

  test('in a stop condition too, and of a header', async () => {
    const stopped = await read([more, bare], '{{ response.paging.next }}', '{{ response.pagin.more is false }}')
    assert.match(
      stopped.warnings.join('\n'),
      /^No page has `response\.pagin\.more`, which the stop condition reads\. Did you mean `response\.paging\.more`\?$/,
    )
    const headed = await read([{ headers: { 'x-next-cursor': 'b' }, json: {} }, bare], "{{ headers['x-next-curser'] }}")
    assert.match(headed.warnings.join('\n'), /Did you mean `headers\['x-next-cursor'\]`\?$/)
  })

  for (const [cursor, body] of [
    ['{{ response.paging.next }}', {}],
    ['{{ response.next }}', { text: 'all', nest: {} }],
    ['{{ response.more }}', { mode: 'list' }],
    ['{{ response.cursor }}', { cursors: { before: 'a' } }],
    ['{{ response.next or response.paging.next }}', { paging: {} }],
    ['{{ response.next_page }}', { prev_page: null, last_page: 1, per_page: 10 }],
    ['{{ response.links.next }}', { links: { self: '/a', prev: null } }],
    ["{{ headers['link']['next']['url'] }}", {}],
  ] as const) {
    test(`a healthy single page stays quiet: ${cursor}, ${JSON.stringify(body)}`, async () => {
      assert.deepEqual(await read([{ json: body }], cursor), quiet('no-cursor', [1]))
    })
  }

  test('a name that another page has is no near miss', async () => {
    const first = { json: { next: 'b', nexxt: 1 } }
    assert.deepEqual(await read([first, { json: { nexxt: 1 } }], '{{ response.next }}'), quiet('no-cursor'))
  })
})
