import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PaginationPlan } from '../../../src/engine/plan/pagination.ts'
import { compileTemplate } from '../../../src/engine/template/template.ts'
import type { DeclaredPlace } from '../../../src/proof/claims/declared/conditions.ts'
import { declaredClaims } from '../../../src/proof/claims/declared/declared-claims.ts'
import { declaredPlacesOf } from '../../../src/proof/claims/declared/declared-places.ts'
import { claimedIn } from '../../../src/proof/receipts/receipt.ts'
import { rows, claimsOfPages, type TestPage } from '../../helpers/claims-of-pages.ts'

const page = (envelope: object, size = 2): TestPage => ({ body: { data: rows(size), ...envelope } })

/** What is claimed where a manifest stops by this condition, and follows this cursor. */
function claimed(pages: TestPage[], stop: string | null, value = "{{ last_record['id'] }}") {
  const plan: PaginationPlan = {
    kind: 'cursor',
    value: compileTemplate(value),
    stopWhen: stop === null ? null : compileTemplate(stop),
    at: { pointer: '' },
    token: null,
    size: null,
    pageSize: null,
    parameters: {},
  }
  const { total, pages: count, more } = claimedIn(claimsOfPages(pages, { declared: declaredPlacesOf(plan, ['data']) }))
  return [
    ...(total === null ? [] : [`total ${total.value} at ${total.at}`]),
    ...(count === null ? [] : [`pages ${count.value} at ${count.at}`]),
    ...(more === null ? [] : [`${more.value ? 'more' : 'end'} by ${more.by} at ${more.at}`]),
  ]
}

describe('what is at a place that the manifest reads is a claim, whatever its name', () => {
  test('a flag', () => {
    const stop = '{{ not response.blatt.weiter }}'
    assert.deepEqual(claimed([page({ blatt: { weiter: true } }), page({ blatt: { weiter: false } })], stop), [
      'end by flag at blatt.weiter',
    ])
    assert.deepEqual(claimed([page({ blatt: { weiter: true } })], stop), ['more by flag at blatt.weiter'])
    // Never seen with the other value, and the condition may be inverted.
    assert.deepEqual(claimed([page({ blatt: { weiter: false } })], stop), [])
  })

  test('a flag of the other sense', () => {
    const stop = '{{ response.fertig }}'
    assert.deepEqual(claimed([page({ fertig: false }), page({ fertig: true })], stop), ['end by flag at fertig'])
    assert.deepEqual(claimed([page({ fertig: false })], stop), ['more by flag at fertig'])
  })

  test('a flag whose name everybody knows, whatever the condition makes of it', () => {
    const inverted = '{{ response.pageInfo.hasNextPage }}'
    assert.deepEqual(claimed([page({ pageInfo: { hasNextPage: true } })], inverted), [
      'more by flag at pageInfo.hasNextPage',
    ])
    assert.deepEqual(claimed([page({ pageInfo: { hasNextPage: false } })], inverted), [
      'end by flag at pageInfo.hasNextPage',
    ])
  })

  test('a flag in letters', () => {
    const stop = '{{ response.mehr == "N" }}'
    assert.deepEqual(claimed([page({ mehr: 'J' }), page({ mehr: 'N' })], stop), ['end by flag at mehr'])
  })

  test('a cursor', () => {
    const follow = (pages: TestPage[]) => claimed(pages, null, '{{ response.fortsetzung }}')
    assert.deepEqual(follow([page({ fortsetzung: 'a' }), page({})]), ['end by token at fortsetzung'])
    assert.deepEqual(follow([page({ fortsetzung: 'a' }), page({ fortsetzung: '' })]), ['end by token at fortsetzung'])
    assert.deepEqual(follow([page({ fortsetzung: null })]), [])
    assert.deepEqual(follow([page({})]), [])
  })

  test('a cursor that is a date, or the next record', () => {
    const follow = (next: unknown) => claimed([page({ weiter: next })], null, '{{ response.weiter }}')
    assert.deepEqual(follow('2024-05-01T00:00:00Z'), ['more by token at weiter'])
    assert.deepEqual(follow({ id: 5 }), ['more by token at weiter'])
  })

  test('a cursor in a header', () => {
    const pages = [
      { ...page({}), headers: { 'x-weiter': 'abc' } },
      { ...page({}), headers: {} },
    ]
    assert.deepEqual(claimed(pages, null, "{{ headers['X-Weiter'] }}"), ['end by token at header x-weiter'])
  })

  test('a total', () => {
    const stop = '{{ response.ab + last_page_size >= response.stueck }}'
    assert.deepEqual(claimed([page({ ab: 0, stueck: 4 }), page({ ab: 2, stueck: 4 })], stop), ['total 4 at stueck'])
  })

  test('a total before another one', () => {
    const stop = '{{ response.ab + last_page_size >= response.passend }}'
    const both = { total: 900, passend: 4 }
    assert.deepEqual(claimed([page({ ab: 0, ...both }), page({ ab: 2, ...both })], stop), ['total 4 at passend'])
  })

  test('a number of pages, counted from 1 or from 0', () => {
    const stop = '{{ response.page >= response.blaetter }}'
    assert.deepEqual(claimed([page({ page: 1, blaetter: 3 }), page({ page: 2, blaetter: 3 })], stop), [
      'pages 3 at blaetter',
    ])
    assert.deepEqual(claimed([page({ page: 0, blaetter: 2 }), page({ page: 1, blaetter: 2 })], stop), [
      'pages 3 at blaetter',
    ])
  })

  test('a number of pages, next to one that the page does not name as it is', () => {
    const stop = '{{ response.page + 1 >= response.blaetter }}'
    assert.deepEqual(claimed([page({ page: 0, blaetter: 3 }), page({ page: 1, blaetter: 3 })], stop), [
      'pages 3 at blaetter',
    ])
    // By its name: what may count pages comes after it.
    const both = [page({ page: 0, blaetter: 3, total_pages: 4 }), page({ page: 1, blaetter: 3, total_pages: 4 })]
    assert.deepEqual(claimed(both, stop), ['pages 3 at blaetter'])
  })

  test('a number of pages before another one, counted from 0 as well', () => {
    const stop = '{{ response.page >= response.blaetter }}'
    const pages = [0, 1].map((number) => page({ page: number, blaetter: 2, total_pages: 9 }))
    assert.deepEqual(claimed(pages, stop), ['pages 3 at blaetter'])
  })

  test('a number of pages only may be one where the read began elsewhere', () => {
    const stop = '{{ response.page >= response.blaetter }}'
    const pages = (total_pages: number) => [page({ page: 2, blaetter: 3, total_pages }), page({ page: 3, blaetter: 3 })]
    assert.deepEqual(claimed(pages(2), stop), ['pages 2 at total_pages'])
    assert.deepEqual(claimed(pages(3), stop), ['pages 3 at total_pages'])
  })

  test('a number that no one says what it counts shows something only when it is met', () => {
    const stop = '{{ response.bis == response.ende }}'
    assert.deepEqual(claimed([page({ bis: 2, ende: 4 }), page({ bis: 4, ende: 4 })], stop), ['total 4 at ende'])
    assert.deepEqual(claimed([page({ bis: 2, ende: 9 }), page({ bis: 4, ende: 9 })], stop), [])
  })
})

test('what is at other places claims nothing', () => {
  assert.deepEqual(claimed([page({}), page({})], '{{ not response.weiter }}'), [])
  assert.deepEqual(claimed([page({ weiter: [1] })], '{{ not response.weiter }}'), [])
  assert.deepEqual(claimed([page({ stueck: 'viele' })], '{{ last_page_size * 2 >= response.stueck }}'), [])
})

test('names are heard next to the manifest’s own places, so that a wrong one comes to light', () => {
  const pages = [page({ weiter: null, has_more: true })]
  assert.deepEqual(claimed(pages, '{{ not response.weiter }}'), ['more by flag at has_more'])
})

test('a flag says which of its values means more, a flag in letters does not', () => {
  const read = (place: Extract<DeclaredPlace, { means: 'flag' }>, found: unknown) =>
    declaredClaims({ body: { fertig: found }, headers: {} }, [place]).nexts.map(({ says, isNamed, more }) => [
      says,
      isNamed,
      more,
    ])
  const place = ['body', 'fertig'] as const
  const ends = (value: boolean | string) => ({ place, means: 'flag', value, says: 'end' }) as const
  const goesOn = (value: boolean) => ({ place, means: 'flag', value, says: 'more' }) as const
  assert.deepEqual(read(ends(true), true), [['end', false, false]])
  assert.deepEqual(read(ends(true), false), [['more', false, false]])
  assert.deepEqual(read(ends(false), 'false'), [['end', false, true]])
  assert.deepEqual(read(goesOn(true), true), [['more', false, true]])
  assert.deepEqual(read(goesOn(true), false), [['end', false, true]])
  assert.deepEqual(read(ends('N'), 'N'), [['end', false, undefined]])
  assert.deepEqual(read(ends('N'), 'J'), [['more', false, undefined]])
  for (const other of [undefined, null, 1, 'N']) assert.deepEqual(read(ends(true), other), [])
  assert.deepEqual(read(ends('N'), true), [])
})

test('a number is a claim of what it is compared as, and a named one only where the start of pages is known', () => {
  const read = (place: Partial<DeclaredPlace>, body: object) =>
    declaredClaims({ body, headers: {} }, [{ place: ['body', 'n'], ...place } as DeclaredPlace]).numbers.map(
      ({ counts, value, plus, isNamed, isDeclared }) => [counts, value, plus, isNamed, isDeclared],
    )
  const position = ['body', 'page'] as const
  assert.deepEqual(read({ means: 'records', position: null }, { n: 9 }), [['records', 9, 0, true, true]])
  assert.deepEqual(read({ means: 'count', position: null }, { n: '9' }), [['records', 9, 0, false, true]])
  assert.deepEqual(read({ means: 'pages', position: null }, { n: 3 }), [['pages', 3, 0, true, true]])
  assert.deepEqual(read({ means: 'pages', position }, { n: 3, page: 1 }), [['pages', 3, 0, true, true]])
  assert.deepEqual(read({ means: 'pages', position }, { n: 3, page: 0 }), [['pages', 3, 1, true, true]])
  assert.deepEqual(read({ means: 'pages', position }, { n: 3, page: 2 }), [['pages', 3, 0, false, true]])
  assert.deepEqual(read({ means: 'pages', position }, { n: 3 }), [['pages', 3, 0, false, true]])
  assert.deepEqual(read({ means: 'records', position: null }, { n: 9.5 }), [])
})
