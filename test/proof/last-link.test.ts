import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pagesByLinks } from '../../src/proof/claims/last-link.ts'
import { pageTotalIn } from '../../src/proof/claims/agreed-claims.ts'
import { placeName } from '../../src/proof/claims/response-place.ts'
import { rows, claimsOfPages, type TestPage } from '../helpers/claims-of-pages.ts'

describe('links count pages', () => {
  type Row = [name: string, next: unknown, last: unknown, pages: number | null]
  const shapes: Row[] = [
    ['from 1', 'https://a/items?per_page=30&page=2', 'https://a/items?per_page=30&page=34', 34],
    ['from 0', '/items?page=1', '/items?page=33', 34],
    ['as JSON:API has them', '/items?page%5Bnumber%5D=2&page%5Bsize%5D=3', '/items?page[number]=4&page[size]=3', 4],
    ['by offsets', '/items?limit=3&offset=3', '/items?limit=3&offset=9', 4],
    ['where the second page is the last', '/items?page=2', '/items?page=2', 2],
    ['but not by cursors', '/items?cursor=ab', '/items?cursor=zz', null],
    ['but not by numbers of another kind', '/items?after=100', '/items?after=900', null],
    ['but not by offsets that are no steps', '/items?offset=3', '/items?offset=10', null],
    ['but not by offsets that the page is too small for', '/items?offset=500', '/items?offset=1000', null],
    ['but not backwards', '/items?page=5', '/items?page=1', null],
    ['but not where there is no last one', '/items?page=2', undefined, null],
    ['but not where there is no next one', null, '/items?page=9', null],
    ['but not without a query', '/items/2', '/items/9', null],
    ['but not by things', { page: 2 }, 9, null],
  ]
  for (const [name, next, last, pages] of shapes) test(name, () => assert.equal(pagesByLinks(next, last, 3), pages))
})

describe('the link to the last page is found', () => {
  const data = rows(3)
  const next = 'https://a/items?page=2'
  const last = 'https://a/items?page=4'
  const shapes: [name: string, page: TestPage, at: string][] = [
    [
      'in the Link header',
      { body: { data }, headers: { link: `<${next}>; rel="next", <${last}>; rel="last"` } },
      'header link last',
    ],
    ['in JSON:API', { body: { data, links: { next, last } } }, 'links.last'],
    ['in HAL', { body: { data, _links: { next: { href: next }, last: { href: last } } } }, '_links.last'],
    ['in Laravel', { body: { data, next_page_url: next, last_page_url: last } }, 'last_page_url'],
    [
      'in a list of links',
      {
        body: {
          data,
          links: [
            { rel: 'next', href: next },
            { rel: 'last', href: last },
          ],
        },
      },
      'links.last',
    ],
  ]
  for (const [name, page, at] of shapes) {
    test(name, () => {
      const found = pageTotalIn(claimsOfPages([page]))
      assert.equal(found?.last, 4)
      assert.equal(placeName(found.place), at)
    })
  }
})
