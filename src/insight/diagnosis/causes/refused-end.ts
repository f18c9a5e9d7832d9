/** All records were there, and the page behind the last one is refused: the walk ends with an error instead of its end. */
import { count } from '../../../words.ts'
import type { Case, Hypothesis } from '../case.ts'
import { type Examine, seen } from '../examine.ts'
import type { ManifestPlace } from '../manifest-place.ts'
import { tryInOrder } from '../trial.ts'
import { refusals } from './first-request.ts'

export const refusedEnd: Examine = async (subject, tools) => {
  const { walk, pages, pagination, repeats, place } = subject
  const status = walk.refused?.status ?? 0
  const last = pages.at(-1)
  const isCounted = pagination.kind === 'offset' || pagination.kind === 'page'
  if (!isCounted || last === undefined || !refusals.includes(status) || place === null) return null
  // Only a count says that nothing was behind it: a refusal may as well be a fault in the middle.
  const total = last.found.numbers.find(({ counts, isNamed }) => isNamed && counts === 'records')
  const pageTotal = last.found.numbers.find(({ counts }) => counts === 'pages')
  const isAll = total === undefined ? pageTotal?.value === pages.length : total.value === repeats.distinct
  return isAll ? tryInOrder(subject, ignoring(subject, place, status), tools) : null
}

const longWalk = 4

function ignoring({ walk, pages, repeats }: Case, place: ManifestPlace, status: number): Hypothesis[] {
  const handler = place.at([...place.requester, 'error_handler'])
  if (handler !== undefined) return []
  const last = pages.at(-1)
  // A long walk is not read again for its end.
  const from = pages.length > longWalk ? (last?.token ?? null) : null
  const filter = { type: 'HttpResponseFilter', action: 'IGNORE', http_codes: [status] }
  return [
    {
      code: 'never-stops/stop-condition',
      fault: 'api',
      why: `whether the answer ${status} is the end`,
      says: `All records were there after page ${pages.length}; the API refuses the page behind it with ${status}.`,
      evidence: [
        ...(last === undefined
          ? []
          : [seen(`With page ${last.number} all ${count(repeats.distinct, 'record')} were there.`, last)]),
        { says: walk.error?.message ?? '', pages: [pages.length + 1] },
      ],
      fix: {
        says: `Take the answer ${status} for the end.`,
        edits: [
          {
            path: [...place.requester, 'error_handler'],
            value: { type: 'DefaultErrorHandler', response_filters: [filter] },
          },
        ],
      },
      ...(from !== null && { from }),
      isShownBy: (after) => after.error === null && !after.isCut,
    },
  ]
}
