/** A request sets its position twice: by the paginator and by a fixed parameter. Records are skipped. */
import { isObject } from '../../../std/values/objects.ts'
import { digitsIn } from '../../claims/link-query.ts'
import { isCountingName } from '../../names/paging-names.ts'
import type { Case, Hypothesis } from '../case.ts'
import { type Cause, seen } from '../cause.ts'
import type { ManifestPlace } from '../manifest-place.ts'
import { bringsSomeNew, tryInOrder } from '../trial.ts'
import type { PageSummary } from '../page-summary.ts'
import { isAllThere } from './start-page.ts'

/** Each takes a request, even where nothing is wrong. */
const mostTried = 2

export const mixedMethods: Cause = async (subject, tools) => {
  const { pages, pagination, place, receipt, repeats, read } = subject
  const [first] = pages
  if (pagination.kind === 'none' || place === null || first === undefined || read.error !== null) return null
  if (isAllThere(receipt) || repeats.repeated > 0 || !repeats.areDistinguishable || first.first === null) return null
  const hypotheses = fixedPagingParameters(subject, place).map((one) => removing(subject, place, first, one))
  return tryInOrder(subject, hypotheses.slice(0, mostTried), tools)
}

const fields = ['request_parameters', 'request_body_json', 'request_body_data'] as const

type FixedParameter = { readonly field: (typeof fields)[number]; readonly name: string; readonly value: string }

/** Parameters that are named for a page or an offset, and are a number or made of the page token. */
function fixedPagingParameters({ pagination }: Case, { written }: ManifestPlace): FixedParameter[] {
  const token = pagination.kind === 'none' ? null : pagination.token
  const own = token === null || token.into === 'path' ? '' : token.into === 'json' ? token.path.join('.') : token.name
  return fields.flatMap((field) => {
    const members = written.requester[field]
    if (!isObject(members)) return []
    return Object.entries(members).flatMap(([name, given]): FixedParameter[] => {
      const value = String(given)
      const isOfPages = digitsIn(value) !== null || (token !== null && value.includes('next_page_token'))
      return name !== own && isCountingName(name) && isOfPages ? [{ field, name, value }] : []
    })
  })
}

function removing(
  subject: Case,
  place: ManifestPlace,
  first: PageSummary,
  { field, name, value }: FixedParameter,
): Hypothesis {
  return {
    code: 'duplicates/mixed-methods',
    why: `whether ${name} skips records`,
    says: `Two pagination methods are mixed: the paginator requests the page, and each request also has ${name}=${value}. Records are skipped.`,
    evidence: [seen(`Page 1 was requested with ${name}=${value}, next to the value of the paginator.`, first)],
    fix: { says: `Remove ${name} from ${field}.`, edits: [{ path: [...place.requester, field, name] }] },
    shortRead: 1,
    isShownBy: (after) => bringsSomeNew(subject, after),
  }
}
