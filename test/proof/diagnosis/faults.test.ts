/**
 * The manifest is right; the lab misbehaves: what it does is named, and what a right manifest survives raises no alarm.
 * `npm test` tries each fault in two dialects, others from fault to fault, and in the first that has it; `npm run test:proof`
 * in all.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faults } from '../../../src/lab/faults.ts'
import { broken, diagnoseLab, labTextOf, writtenAt } from './lab-case.ts'
import { firstSeed, isWhole } from '../../helpers/proof.ts'

const streams = ['offset', 'page', 'cursor', 'link', 'next_url', 'after', 'search', 'odata'] as const
type Stream = (typeof streams)[number]

/** What is found for each stream that can have the fault; those left out have nothing to be found. */
const expected: Record<string, Partial<Record<Stream, string>>> = {
  'capped-size': { offset: 'missing/page-size-capped, fixed', page: 'missing/page-size-capped, fixed' },
  'repeated-cursor': each('never-stops/same-page', 'cursor', 'link', 'next_url', 'search', 'odata'),
  cycle: each('never-stops/cycle', ...streams),
  'ignored-parameter': each('never-stops/same-page', ...streams),
  'empty-page': each('api/empty-page', 'offset', 'page'),
  'short-page': { offset: 'api/short-page, fixed', page: 'api/short-page, fixed' },
  'duplicate-page': each('api/repeated-page', 'offset', 'page', 'cursor', 'link', 'next_url', 'search', 'odata'),
  'inserted-rows': each('api/rows-moved', 'offset', 'page', 'link', 'odata'),
  'deleted-rows': each('api/rows-moved', 'offset', 'page', 'link', 'odata'),
  'wrong-total': each('api/wrong-total', 'offset', 'page', 'search', 'odata'),
  html: each('api/not-json', ...streams),
  truncated: each('api/cut-body', ...streams),
  'rate-limit': each('api/rate-limited', ...streams),
  'expired-cursor': each('api/cursor-expired', 'cursor', 'next_url', 'search'),
  'foreign-link': each('api/foreign-link', 'link', 'next_url', 'odata'),
  'slow-body': {},
  'rejects-first': { page: 'first-request/injection-rejected, fixed' },
  'requires-first': each('first-request/injection-required, fixed', 'offset', 'link', 'odata'),
}

function each(code: string, ...some: readonly Stream[]): Partial<Record<Stream, string>> {
  return Object.fromEntries(some.map((stream) => [stream, code]))
}

for (const [fault, { name }] of faults.entries()) {
  test(`${name} is called what it is in every dialect that can have it`, async () => {
    for (const [index, stream] of streams.entries()) {
      const isFirst = stream === Object.keys(expected[name] ?? {})[0]
      if (!isWhole && !isFirst && (index + fault + firstSeed) % 4 !== 0) continue
      const lab = labTextOf(stream)
      const path = String(writtenAt(lab, stream, 'requester.path'))
      const text = broken(stream, { 'requester.path': `/faults/${name}${path}` }, lab)
      const { findings, error, probes } = await diagnoseLab(stream, text, { size: 450, sleep: async () => {} })
      if (error !== null && / cannot have the fault /.test(error.message)) {
        assert.deepEqual(findings, [], `${stream}: a wrong address is no fault of paging`)
        continue
      }
      const found = findings.map(({ code, fix }) => (fix?.retest?.isFixed === true ? `${code}, fixed` : code))
      const wanted = expected[name]?.[stream]
      assert.deepEqual(found, wanted === undefined ? [] : [wanted], `${name} ${stream}`)
      assert.ok(probes.length <= 12)
    }
  })
}
