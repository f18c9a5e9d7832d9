/** All records were there, and the page after the last one is refused: the read ends with an error instead of its end. */
import { count } from '../../../words.ts'
import type { Case, Hypothesis } from '../case.ts'
import type { Evidence } from '../diagnosis.ts'
import { type EndFilter, endFilters } from '../../end-filter.ts'
import { type Examine, seen, withoutFix } from '../examine.ts'
import type { ManifestPlace } from '../manifest-place.ts'
import { tryInOrder } from '../trial.ts'
import { refusals } from './first-request.ts'

export const refusedEnd: Examine = async (subject, tools) => {
  const { walk, pages, pagination, repeats, place } = subject
  const status = walk.refused?.status ?? 0
  const last = pages.at(-1)
  const isCounted = pagination.kind === 'offset' || pagination.kind === 'page'
  if (!isCounted || last === undefined || !refusals.includes(status)) return null
  // Only a count says that nothing was after it: a refusal may as well be a fault in the middle.
  const total = last.found.numbers.find(({ counts, isNamed }) => isNamed && counts === 'records')
  const pageTotal = last.found.numbers.find(({ counts }) => counts === 'pages')
  const isAll = total === undefined ? pageTotal?.value === pages.length : total.value === repeats.distinct
  if (!isAll) return null
  const says = `All records were there after page ${pages.length}; the API refuses the page after it with ${status}.`
  const evidence = [
    seen(`With page ${last.number} all ${count(repeats.distinct, 'record')} were there.`, last),
    { says: walk.error?.message ?? '', pages: [pages.length + 1] },
  ]
  const hypotheses = place === null ? [] : ignoring(subject, place, { says, evidence })
  const found = await tryInOrder(subject, hypotheses, tools)
  if (found !== null) return found
  return withoutFix({
    code: 'never-stops/stop-condition',
    fault: 'api',
    says,
    evidence,
    advice:
      `${subject.whyNot} Follow what the API names as the next page, if it names one, or ignore this answer by words that no other refusal has. Never ignore the status ${status} alone: the next wrong request would look like an empty stream.`.trim(),
  })
}

const longRead = 4

type Said = { readonly says: string; readonly evidence: readonly Evidence[] }

/** By the words of the refusal, never by its status alone. */
function ignoring({ walk, pages }: Case, place: ManifestPlace, { says, evidence }: Said): Hypothesis[] {
  const handler = place.at([...place.requester, 'error_handler'])
  const words = /, and says: (.*)$/s.exec(walk.error?.message ?? '')?.[1]?.replace(/\.$/, '')
  if (handler !== undefined || words === undefined) return []
  // A long read is not read again for its end, until the re-test.
  const from = pages.length > longRead ? (pages.at(-1)?.token ?? null) : null
  return endFilters(words).map((known) => ({
    code: 'never-stops/stop-condition',
    fault: 'api',
    why: 'whether these words of the API are its end',
    says,
    evidence,
    fix: {
      says: `Take this refusal for the end, by its words: ${wordsOf(known)}.`,
      edits: [
        {
          path: [...place.requester, 'error_handler'],
          value: {
            type: 'DefaultErrorHandler',
            response_filters: [{ type: 'HttpResponseFilter', action: 'IGNORE', ...known }],
          },
        },
      ],
    },
    ...(from !== null && { from }),
    isShownBy: (after) => after.error === null && !after.isCut,
  }))
}

function wordsOf(filter: EndFilter): string {
  return 'predicate' in filter ? `\`${filter.predicate}\`` : `"${filter.error_message_contains}"`
}
