/** Each page begins within the one before it: page numbers read as record numbers, or a step that is too small. */
import { count, number } from '../../../std/text/format-count.ts'
import type { Case, Hypothesis } from '../case.ts'
import type { Evidence } from '../diagnosis.ts'
import { type Cause, seen, withoutFix } from '../cause.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'
import { overlapOf } from '../repeats.ts'
import { tryInOrder } from '../trial.ts'
import type { PageSummary } from '../page-summary.ts'
import { afterLast } from './after-last.ts'
import { following } from './not-paginated.ts'
import { sharedCursor } from './shared-cursor.ts'

export const overlap: Cause = async (subject, tools) => {
  const { pages, pagination, place } = subject
  const filled = pages.filter(({ received }) => received > 0)
  const [first, second] = filled
  if (first === undefined || second === undefined || !subject.repeats.areDistinguishable) return null
  const overlaps = filled.slice(1).map((page, index) => overlapOf(filled[index] as PageSummary, page))
  const [ofSecond = 0] = overlaps
  // A first request without a number is followed by any: only from the second on do page numbers grow by one.
  const steps = pagination.kind === 'page' && overlaps.length > 2 ? overlaps.slice(1) : overlaps
  const [amount = 0] = steps
  const isWithin = ofSecond > 0 && amount > 0 && amount < first.received
  // Records that move during a read come again at one place or two, not at every one by the same number.
  const isSteady = isWithin && steps.slice(0, -1).every((one) => one === amount)
  if (!isSteady || (overlaps.length === 1 && amount * 2 < first.received && amount > 1)) return null
  const tied = await sharedCursor(subject, tools)
  if (tied !== null) return tied
  const step = first.received - amount
  const says = `Pages overlap: each begins ${count(step, 'record')} after the start of the one before, which has ${number(first.received)}.`
  const evidence = [
    seen(`Page 2 begins with ${second.first?.text ?? 'a record'} that page 1 had already.`, first, second),
    seen(`Page 2 repeats ${count(ofSecond, 'record')} of page 1.`, first, second),
  ]
  const hypotheses = place === null ? [] : explanations(subject, place, { says, evidence, step, first, amount })
  const found = await tryInOrder(subject, hypotheses, tools)
  if (found !== null) return found
  return withoutFix({
    code: pagination.kind === 'page' ? 'duplicates/method' : 'duplicates/step',
    fault: 'manifest',
    says,
    evidence,
    advice: `${subject.whyNot} Let each request skip as many records as were read.`.trim(),
  })
}

type Seen = {
  readonly says: string
  readonly evidence: readonly Evidence[]
  readonly step: number
  readonly amount: number
  readonly first: PageSummary
}

function explanations(subject: Case, place: ManifestPlace, found: Seen): Hypothesis[] {
  const { pagination } = subject
  const { says, evidence, first, step, amount } = found
  const named = following(subject, place, first, { says, evidence }, 'duplicates/step')
  const byOffset = countingRecords(place, found, pagination.kind === 'page' ? 'duplicates/method' : 'duplicates/step')
  if (pagination.kind === 'page' && step <= 2) return [byOffset, ...named]
  if (pagination.kind === 'offset' && amount === 1) return [...fromOne(place, found), ...named]
  if (pagination.kind !== 'cursor') return named
  const afterKey = afterLast(subject, place, 'duplicates/step', { says, evidence })
  return [...named, ...afterKey, byOffset]
}

/** The number is sent as it was; it grows by what was read. */
function countingRecords(place: ManifestPlace, { says, evidence, first }: Seen, code: Hypothesis['code']): Hypothesis {
  const { page_size = first.received } = place.written.strategy
  return {
    code,
    why: 'whether the number that is sent counts records',
    says,
    evidence,
    fix: {
      says: 'Count records instead of pages: Offset Increment.',
      edits: [{ path: place.strategy, value: { type: 'OffsetIncrement', page_size } }],
    },
  }
}

/** The first record has number 1: what was read must be sent plus one. */
function fromOne(place: ManifestPlace, { says, evidence }: Seen): Hypothesis[] {
  const option = place.written.paginator.page_token_option as { inject_into?: string; field_name?: string } | undefined
  const { request_parameters: parameters = {} } = place.written.requester
  if (option?.inject_into !== 'request_parameter' || typeof parameters === 'string') return []
  const name = option.field_name ?? ''
  return [
    {
      code: 'duplicates/step',
      why: `whether ${name} counts records from 1`,
      says: `${says} The API counts records from 1.`,
      evidence,
      fix: {
        says: `Send ${name} plus one.`,
        edits: [
          ...set(place.paginator, { page_token_option: undefined }),
          {
            path: [...place.requester, 'request_parameters', name],
            value: "{{ (next_page_token['next_page_token'] if next_page_token else 0) + 1 }}",
          },
        ],
      },
    },
  ]
}
