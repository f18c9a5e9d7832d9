/** Every request brings the same page: what asks for the next one is not sent, not understood, or always the same. */
import { tokenValue } from '../../../engine/request/page-token.ts'
import type { Case, Hypothesis } from '../case.ts'
import { cursorPlacesIn } from '../cursor-places.ts'
import type { Evidence } from '../diagnosis.ts'
import { type Examine, seen, withoutFix } from '../examine.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'
import { countedNames, cursorNames } from '../paging-names.ts'
import { type Into, requestOption, usualInto } from '../paginators.ts'
import { tryInOrder } from '../trial.ts'
import type { WalkedPage } from '../walked-page.ts'
import { following } from './not-paginated.ts'
import { readingAt } from './wrong-cursor.ts'

export const samePage: Examine = async (subject, tools) => {
  const { repeats, pages, pagination, place } = subject
  const [first, second, third] = pages
  if (first === undefined || second === undefined || pagination.kind === 'none') return null
  const later = repeats.pages.slice(1)
  const isSame = later.every(({ sameAs, page }) => sameAs === first || (page === pages.at(-1) && page.received === 0))
  // A single row that comes again may be all there is.
  if (!isSame || first.received < 2 || !repeats.tellsApart) return null
  const areEqual = sameRequest(first, second)
  const says = areEqual
    ? 'Every page is asked for with the same request, and brings the same records.'
    : 'The API brings the same records whatever the manifest sends to ask for the next page.'
  const evidence = [
    seen(
      `Pages ${numbers(pages.slice(0, third === undefined ? 2 : 3))} begin with ${first.first ?? 'the same record'} and end with ${first.last ?? 'the same one'}.`,
      first,
      second,
    ),
    ...(areEqual ? [] : [seen(`Page 2 was asked for with ${sent(subject, second)}.`, second)]),
  ]
  const hypotheses = place === null ? [] : explanations(subject, place, first, second, { says, evidence })
  const found = await tryInOrder(subject, hypotheses, tools)
  if (found !== null) return found
  // A page that came twice may be an answer from a cache; only what the guard ended, or the limit, is without end.
  if (subject.walk.error === null && !subject.walk.isCut) return null
  return withoutFix({
    code: 'never-stops/same-page',
    fault: areEqual ? 'manifest' : 'api',
    says,
    evidence,
    advice: `${subject.whyNot} Compare how the token is sent with the documentation of the API.`.trim(),
  })
}

type Said = { readonly says: string; readonly evidence: readonly Evidence[] }

function explanations(
  subject: Case,
  place: ManifestPlace,
  first: WalkedPage,
  second: WalkedPage,
  said: Said,
): Hypothesis[] {
  const { pagination, walk } = subject
  const mixed = staticPaging(place, said)
  if (pagination.kind === 'cursor') {
    const places = cursorPlacesIn(first, walk.rules.recordPath)
    const token = first.next === null ? undefined : tokenValue(first.next)
    const read = places.find(({ value }) => String(value) === String(token))
    const placing = placements(subject, place, first, cursorNames(read ?? { field: '', value: '' }), said)
    const elsewhere = places
      .filter((one) => one !== read)
      .flatMap((one) => readingAt(subject, place, one, said.says, said.evidence))
      .map((one): Hypothesis => ({ ...one, code: 'never-stops/cursor-not-found' }))
    return read === undefined ? [...mixed, ...elsewhere, ...placing] : [...mixed, ...placing, ...elsewhere]
  }
  if (pagination.kind !== 'offset' && pagination.kind !== 'page') return mixed
  const names = countedNames(pagination.kind, first, walk.rules.recordPath)
  const start = pagination.kind === 'page' && pagination.firstPage === 0 ? startAtOne(place, said) : []
  return [
    ...mixed,
    ...following(subject, place, first, said, 'duplicates/method'),
    ...placements(subject, place, second, names, said),
    ...start,
  ]
}

/** Page 0 and page 1 are one: without a third page, only what page 2 brings tells. */
function startAtOne({ strategy }: ManifestPlace, { evidence }: Said): Hypothesis[] {
  return [
    {
      code: 'first-request/start-page',
      why: 'whether pages are counted from 1',
      says: 'The API counts pages from 1: the first page comes twice.',
      evidence,
      fix: { says: 'Start from page 1.', edits: set(strategy, { start_from_page: 1 }) },
    },
  ]
}

/** The same token under another name, and in another place. */
function placements(
  { pagination }: Case,
  place: ManifestPlace,
  asked: WalkedPage,
  names: readonly string[],
  { says, evidence }: Said,
): Hypothesis[] {
  if (pagination.kind === 'none' || pagination.token?.into === 'path') return []
  const token = asked.token ?? asked.next
  if (token === null) return []
  const { written } = place
  const now = written.paginator.page_token_option as { inject_into?: Into; field_name?: string } | undefined
  const into = now?.inject_into ?? usualInto(place)
  const name = now?.field_name
  const others = ([usualInto(place), 'request_parameter', 'header'] as const).filter((one) => one !== into)
  const tries: readonly (readonly [Into, string])[] = [
    ...(name === undefined ? [] : others.slice(0, 1).map((one) => [one, name] as const)),
    ...names.filter((one) => one !== name).map((one) => [into === 'header' ? usualInto(place) : into, one] as const),
    ...(name === undefined ? [] : others.slice(1).map((one) => [one, name] as const)),
  ]
  return tries.map(
    ([where, called]): Hypothesis => ({
      code: 'missing/token-not-placed',
      why: `whether ${whereWords[where]} ${called} asks for the next page`,
      says,
      evidence,
      fix: {
        says: `Send it as ${whereWords[where]} ${called}.`,
        edits: set(place.paginator, { page_token_option: requestOption(where, called) }),
      },
      firstTry: token,
    }),
  )
}

const whereWords: Readonly<Record<Into, string>> = {
  request_parameter: 'the query parameter',
  header: 'the header',
  body_json: 'the member of the JSON body',
  body_data: 'the form field',
}

const pagingParameter = /^\$?(page|offset|skip|start|cursor|page_?number|start_?index|from)$/i

/** A number that is written into every request holds the walk at one page. */
function staticPaging(
  { written: { requester }, requester: path }: ManifestPlace,
  { says, evidence }: Said,
): Hypothesis[] {
  const parameters = requester.request_parameters
  if (typeof parameters !== 'object' || parameters === null) return []
  const fixed = Object.entries(parameters).filter(
    ([name, value]) => pagingParameter.test(name) && !String(value).includes('{'),
  )
  return fixed.map(
    ([name, value]): Hypothesis => ({
      code: 'duplicates/mixed-methods',
      why: `whether the fixed parameter ${name} holds the walk at one page`,
      says: `${says} Each request also carries the fixed parameter ${name}=${String(value)}.`,
      evidence,
      fix: {
        says: `Remove the fixed parameter ${name}.`,
        edits: [{ path: [...path, 'request_parameters', name] }],
      },
    }),
  )
}

function sameRequest({ request: one }: WalkedPage, { request: other }: WalkedPage): boolean {
  return (
    one.url === other.url && one.body === other.body && JSON.stringify(one.headers) === JSON.stringify(other.headers)
  )
}

function numbers(pages: readonly WalkedPage[]): string {
  const all = pages.map(({ number }) => String(number))
  return all.length < 2 ? all.join() : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

function sent({ pagination }: Case, page: WalkedPage): string {
  const placement = pagination.kind === 'none' ? null : pagination.token
  const value = String(page.token?.value ?? '')
  if (placement === null || placement.into === 'path') return page.request.url
  const name = placement.into === 'json' ? placement.path.join('.') : placement.name
  return `${name} = ${value.length > 60 ? `${value.slice(0, 60)}…` : value}`
}
