/** The first request is refused: wrong start page, or pagination values that are missing, unwanted or too large. */
import type { PaginationPlan } from '../../../engine/plan/pagination.ts'
import type { Placement } from '../../../engine/plan/plan.ts'
import type { Case, Hypothesis } from '../case.ts'
import type { Evidence, ManifestEdit } from '../diagnosis.ts'
import { type Cause, withoutFix } from '../cause.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'
import { tryInOrder } from '../trial.ts'

/** Statuses about the request itself, not about credentials or rate. */
export const refusals: readonly number[] = [400, 404, 409, 416, 422]

export const firstRequest: Cause = async (subject, tools) => {
  const { read, pagination, place } = subject
  const status = read.refused?.status ?? 0
  if (read.pages.length > 0 || read.error === null || !refusals.includes(status) || pagination.kind === 'none') {
    return null
  }
  const said = read.error.message
  const evidence = [{ says: said, pages: [1] }]
  const hypotheses =
    place === null ? [] : [byToken, firstPlaces, bySize].flatMap((explain) => explain(subject, place, evidence))
  const blamesSize = mentions(said, pagination.size?.placement) && !mentions(said, pagination.token)
  const ordered = blamesSize ? hypotheses.toSorted((one, other) => rank(one) - rank(other)) : hypotheses
  const found = await tryInOrder(subject, ordered, tools)
  // A 404 usually means that the URL is wrong, not the pagination.
  if (found !== null || status === 404 || !mentions(said, pagination.token)) return found
  return withoutFix({
    code: sendsOnFirst(pagination) ? 'first-request/injection-rejected' : 'first-request/injection-required',
    fault: 'manifest',
    says: `The first request is refused with ${status}, and the response mentions pagination.`,
    evidence,
    advice: `${subject.whyNot} Compare the first request with the documentation of the API.`.trim(),
  })
}

function rank({ code }: Hypothesis): number {
  return code === 'missing/page-size-capped' ? 0 : 1
}

function sendsOnFirst(plan: PaginationPlan): boolean {
  return (plan.kind === 'offset' || plan.kind === 'page') && plan.injectOnFirst
}

function mentions(said: string, placement: Placement | null | undefined): boolean {
  if (placement === null || placement === undefined || placement.into === 'path') return false
  const name = placement.into === 'json' ? (placement.path.at(-1) ?? '') : placement.name
  const words = (said.split(', and says: ').at(-1) ?? '').toLowerCase().split(/[^\w$[\]-]+/)
  return words.includes(name.toLowerCase())
}

function byToken({ pagination }: Case, { strategy }: ManifestPlace, evidence: readonly Evidence[]): Hypothesis[] {
  if (pagination.kind !== 'offset' && pagination.kind !== 'page') return []
  const what = pagination.kind === 'page' ? 'page number' : 'offset'
  const required = (more: Record<string, unknown> = {}): Hypothesis => ({
    code: 'first-request/injection-required',
    why: `whether the first request needs the ${what}`,
    says: `The API refuses a first request without the ${what}.`,
    evidence,
    fix: fixing(`Send the ${what} on the first request too`, strategy, { inject_on_first_request: true, ...more }),
  })
  const rejected: Hypothesis = {
    code: 'first-request/injection-rejected',
    why: `whether the first request must not have the ${what}`,
    says: `The API refuses a first request with the ${what}.`,
    evidence,
    fix: fixing(`Leave the ${what} out of the first request`, strategy, { inject_on_first_request: undefined }),
  }
  if (pagination.kind === 'offset') return [pagination.injectOnFirst ? rejected : required()]
  const { firstPage, injectOnFirst } = pagination
  const other = firstPage === 0 ? 1 : firstPage - 1
  if (!injectOnFirst) return [required(), required({ start_from_page: other })]
  const start: Hypothesis = {
    code: 'first-request/start-page',
    why: `whether pages are counted from ${other}`,
    says: `The API refuses page ${firstPage}: it counts pages from ${other}.`,
    evidence,
    fix: fixing(`Start from page ${other}`, strategy, { start_from_page: other }),
  }
  return firstPage === 0 ? [start, rejected] : [rejected, start]
}

/** The largest size the API says it takes, else the usual ones, the largest first: each is tried. */
function bySize({ pagination, read }: Case, place: ManifestPlace, evidence: readonly Evidence[]): Hypothesis[] {
  if (pagination.kind === 'none' || pagination.kind === 'custom' || pagination.size === null) return []
  const size = Number(pagination.size.value)
  const named = largestNamed(read.error?.message.split(', and says: ').at(-1) ?? '')
  const sizes = [...new Set([...named, ...usualSizes])].filter((one) => one >= leastSize && one < size)
  const smaller = sizes.slice(0, mostSizes).map(
    (one): Hypothesis => ({
      code: 'missing/page-size-capped',
      why: `whether ${one} records a page are accepted`,
      says: `The API refuses to send ${size} records at once; it sends ${one}.`,
      evidence,
      fix: fixing(`Set page_size to ${one}`, place.strategy, { page_size: one }),
    }),
  )
  const none: Hypothesis = {
    code: 'first-request/injection-rejected',
    why: 'whether a request without a page size is accepted',
    says: 'The API refuses a first request with a page size.',
    evidence,
    fix: fixing('Do not send the page size', place.paginator, { page_size_option: undefined }),
  }
  return [...smaller, none]
}

/** Maximums that APIs have. Smaller ones are taken only where the API names them as its maximum. */
const usualSizes = [1000, 500, 250, 200, 100, 50, 25, 10]
const mostSizes = 7
const leastSize = 2

const maximum =
  /(?:\bmax(?:imum)?\b|\bmost\b|\bup to\b|\bbetween\s+\d+\s+and\b|<=?|≤|\bless than\b|\bmore than\b|\bexceeds?\b|\bgreater than\b|\blarger than\b|\babove\b|\bfrom\s+\d+\s+to\b|\b\d+\s*(?:-|–|\.\.+)\s*(?=\d))\D{0,25}?(\d{1,6})(?![\w.]*\d)/gi

/** Numbers that a message calls a maximum: any other number in it may be a code, a line or the size that was sent. */
function largestNamed(words: string): number[] {
  const found = [...words.matchAll(maximum)].map(([, digits]) => Number(digits))
  return found
    .flatMap((one) => (/(?:less|smaller|fewer|lower) than\s+\d/i.test(words) ? [one, one - 1] : [one]))
    .toSorted((one, other) => other - one)
}

function fixing(says: string, path: ManifestPlace['strategy'], members: Record<string, unknown>) {
  const edits: readonly ManifestEdit[] = set(path, members)
  return { says: `${says}.`, edits }
}

/** A parameter of every request: URLs from the API have their own value, which wins. */
function firstPlaces({ pagination }: Case, place: ManifestPlace, evidence: readonly Evidence[]): Hypothesis[] {
  if (pagination.kind !== 'cursor' || pagination.token?.into !== 'path') return []
  const size = pagination.size?.placement
  const names = companionsOf(size?.into === 'query' ? size.name : '')
  return names.map(
    ([name, first]): Hypothesis => ({
      code: 'first-request/injection-required',
      why: `whether the first request needs ${name}=${first}`,
      says: `The API refuses a first request without ${name}.`,
      evidence,
      fix: {
        says: `Send ${name}=${first} with the first request; the addresses of later pages have their own.`,
        edits: set([...place.requester, 'request_parameters'], { [name]: first }),
      },
    }),
  )
}

/** Parameters that usually go with a size parameter, with their values for the first page. */
function companionsOf(size: string): (readonly [name: string, first: string])[] {
  const [, group] = /^(.+)\[(?:size|limit)\]$/i.exec(size) ?? []
  if (group !== undefined) {
    return [
      [`${group}[number]`, '1'],
      [`${group}[offset]`, '0'],
    ]
  }
  if (size === '$top') return [['$skip', '0']]
  const page: readonly [string, string] = [/[a-z]Size$/.test(size) ? 'pageNumber' : 'page', '1']
  const offset: readonly [string, string] = ['offset', '0']
  return /limit|count|max/i.test(size) ? [offset, page] : [page, offset]
}
