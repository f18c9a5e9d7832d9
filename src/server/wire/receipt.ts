/** Receipts: what a read shows about its completeness. */
import { z } from 'zod'
import { verdicts } from '../../proof/verdict/verdict-name.ts'

export const verdict = z.enum(verdicts)

const int = z.number().int()
const at = z.string().describe('Where the API reported it: `meta.total`, `header link next`.')

const keyCounts = z
  .object({
    unique: int,
    repeated: int.describe('Records whose key was certainly on an earlier page.'),
    changed: int.describe('Repeated records that had changed.'),
    alike: int.describe('Records that equal another one of the same page.'),
    clashing: int.describe('Records that share their key with a different one of the same page.'),
    probable: int.describe('Records whose key was probably on an earlier page: see `errorRate`.'),
    repeatedPage: int.nullable().describe('The first page, from 1, with only records of earlier pages.'),
    examples: z
      .array(z.object({ key: z.string(), page: int, earlier: int, isSame: z.boolean() }))
      .readonly()
      .describe('The first repeated keys, with both pages and whether the record was the same.'),
    isKey: z.boolean().describe('Whether the key identifies records; if not, repetitions are not counted.'),
    isAssumed: z.boolean().describe('Whether the stream declares no key, and a field of its records is used instead.'),
    isExact: z.boolean().describe('Whether every key is stored exactly.'),
    errorRate: z.number().describe('The share of new keys that may be counted as `probable`; 0 while exact.'),
    uncounted: int.describe('Records whose key was not counted, because there were too many keys.'),
  })
  .loose()

const claimedNumber = z.object({ value: int, at }).nullable()

const claimed = z.object({
  total: claimedNumber.describe('How many records there are.'),
  pages: claimedNumber.describe('How many pages there are.'),
  more: z
    .object({ value: z.boolean(), at, by: z.enum(['flag', 'link', 'token']) })
    .nullable()
    .describe('Whether the last page reports another one.'),
})

const counts = { pages: int, received: int, emitted: int }
const shown = {
  keys: keyCounts.nullable().describe('Null where the stream has no key.'),
  claimed: claimed.describe('What the API reports; null where it reports nothing reliable.'),
}

const judged = {
  verdict,
  reason: z.string(),
  at: at.optional(),
  pagesWithoutList: int.optional().describe('Pages without the list at the record path; absent where there are none.'),
  isIgnored: z
    .literal(true)
    .optional()
    .describe('The manifest ignores the first response of the slice, so its list was never seen.'),
}

const sliceReceipt = z
  .object({
    slice: int.describe('From 0, in the order in which slices started.'),
    ...counts,
    stop: z.string(),
    error: z.string().optional().describe('The code of the error that ended it.'),
    requestsInVain: int
      .optional()
      .describe('Requests for pages ahead that were not needed; absent where there were none.'),
    ...judged,
    ...shown,
  })
  .meta({ id: 'SliceReceipt' })

export const streamProof = z
  .object({
    ...judged,
    slices: int.describe('Slices that were read to their end, or to a limit.'),
    ...counts,
    ...shown,
  })
  .meta({ id: 'StreamProof' })

export const testReceipt = streamProof
  .extend({
    verdict: verdict.nullable(),
    reason: z.string().nullable(),
    ofSlices: z.array(sliceReceipt).describe('In the order in which they ended; the first thousand.'),
  })
  .meta({ id: 'TestReceipt' })

export type WireSliceReceipt = z.infer<typeof sliceReceipt>
export type WireStreamProof = z.infer<typeof streamProof>
export type TestReceipt = z.infer<typeof testReceipt>
