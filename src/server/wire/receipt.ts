/** What a read proves about its own completeness, as it crosses the wire. */
import { z } from 'zod'

export const verdict = z.enum(['complete', 'unproven', 'incomplete', 'duplicated'])

const int = z.number().int()
const at = z.string().describe('Where the API said so: `meta.total`, `header link next`.')

const keyCounts = z
  .object({
    unique: int,
    repeated: int.describe('Records whose key came on an earlier page, for certain.'),
    changed: int.describe('Those of them that were no longer the same.'),
    alike: int.describe('Records that equal another one of their own page.'),
    clashing: int.describe('Records that share their key with another, different one of their own page.'),
    probable: int.describe('Records whose key came before in all probability: see `errorRate`.'),
    repeatedPage: int.nullable().describe('The first page, from 1, that brought nothing but records of earlier pages.'),
    examples: z
      .array(z.object({ key: z.string(), page: int, earlier: int, isSame: z.boolean() }))
      .readonly()
      .describe('The first few keys that came again, with both pages and whether the record was the same.'),
    isKey: z.boolean().describe('Whether the key tells records apart; if not, repetitions are not counted.'),
    isAssumed: z.boolean().describe('Whether the stream names no key, and a field of its records was taken for one.'),
    isExact: z.boolean().describe('Whether every key was remembered as it is.'),
    errorRate: z.number().describe('The share of new keys that may be taken for `probable` ones; 0 while exact.'),
    uncounted: int.describe('Records whose key was neither known nor remembered: there were more keys than fit.'),
  })
  .loose()

const claimedNumber = z.object({ value: int, at }).nullable()

const claimed = z.object({
  total: claimedNumber.describe('How many records there are.'),
  pages: claimedNumber.describe('How many pages there are.'),
  more: z
    .object({ value: z.boolean(), at, by: z.enum(['flag', 'link', 'token']) })
    .nullable()
    .describe('Whether the last page says that another one follows.'),
})

const counts = { pages: int, received: int, emitted: int }
const shown = {
  keys: keyCounts.nullable().describe('Null where the stream names no key.'),
  claimed: claimed.describe('What the API itself said; null where it said nothing that can be relied on.'),
}

const pagesWithoutList = int
  .optional()
  .describe('Pages without the list that the record path names; absent where each had it.')

export const sliceReceipt = z
  .object({
    slice: int.describe('From 0, in the order in which slices began.'),
    ...counts,
    stop: z.string(),
    error: z.string().optional().describe('The code of the error that ended it.'),
    verdict,
    reason: z.string(),
    at: at.optional(),
    pagesWithoutList,
    ...shown,
  })
  .meta({ id: 'SliceReceipt' })

export const streamProof = z
  .object({
    verdict,
    reason: z.string(),
    at: at.optional(),
    pagesWithoutList,
    slices: int.describe('Those that were read to their end, or to a limit.'),
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
export type TestReceipt = z.infer<typeof testReceipt>
