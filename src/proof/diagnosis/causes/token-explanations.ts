/** A page token that has no effect → hypotheses: another name, another placement, another value. */
import { isList, isObject } from '../../../std/values/objects.ts'
import { type PageToken, tokenValue } from '../../../engine/request/page-token.ts'
import { isCountingName } from '../../names/paging-names.ts'
import type { Case, Hypothesis } from '../case.ts'
import { type CursorPlace, cursorPlacesIn } from '../cursor-places.ts'
import type { Evidence } from '../diagnosis.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'
import { countedNames, cursorNames } from '../names-to-try.ts'
import {
  type Into,
  requestOption,
  type TokenPlace,
  tokenPlaces,
  usualPlaces,
  whereWords,
} from '../page-token-options.ts'
import type { PageSummary } from '../page-summary.ts'
import { nextNumber } from './next-number.ts'
import { following } from './not-paginated.ts'
import { readingAt } from './wrong-cursor.ts'

type Said = { readonly says: string; readonly evidence: readonly Evidence[] }

/** How many names are tried before the API's own next link is. */
const namesFirst = 4

/** `sent` is the token that did not do what it should. */
export function tokenExplanations(
  subject: Case,
  place: ManifestPlace,
  first: PageSummary,
  sent: PageToken | null,
  said: Said,
): Hypothesis[] {
  const { pagination, read } = subject
  const mixed = staticPaging(place, said)
  const token = sent ?? first.next
  if (pagination.kind === 'cursor') return [...mixed, ...ofCursor(subject, place, first, token, said)]
  if (pagination.kind !== 'offset' && pagination.kind !== 'page') return mixed
  const places = tokenPlaces(place, countedNames(pagination.kind, first, read.rules.recordPath))
  const mayBeOne = pagination.kind === 'page' && pagination.firstPage === 0
  // Page 1 may be the first one again: page 2 is not.
  const tried = mayBeOne ? { value: 2 } : token
  const placed = placements(place, tried, places, said).map((one) =>
    mayBeOne ? { ...one, orElse: fromOne(place) } : one,
  )
  return [
    ...mixed,
    ...placed.slice(0, namesFirst),
    ...following(subject, place, first, said, 'duplicates/method'),
    ...(mayBeOne ? [...startAtOne(place, said), ...placements(place, token, places.slice(0, 1), said)] : []),
    ...placed.slice(namesFirst),
  ]
}

function ofCursor(
  subject: Case,
  place: ManifestPlace,
  first: PageSummary,
  token: PageToken | null,
  said: Said,
): Hypothesis[] {
  const places = cursorPlacesIn(first, subject.read.rules.recordPath)
  const value = token === null ? '' : String(tokenValue(token))
  const read = places.find((one) => String(one.value) === value)
  const reading = (one: CursorPlace, code: Hypothesis['code']) =>
    readingAt(subject, place, one, said.says, said.evidence).map((hypothesis): Hypothesis => ({ ...hypothesis, code }))
  // An address that is sent as a value must be followed instead.
  // And a value that is taken for an address must be sent.
  const isPath = subject.pagination.kind === 'cursor' && subject.pagination.token?.into === 'path'
  const followed = read !== undefined && read.isLink !== isPath ? reading(read, 'missing/token-not-placed') : []
  const names = cursorNames(read ?? { field: '', value: '', above: [] })
  const placed = placements(place, token, tokenPlaces(place, names, read?.above), said)
  const elsewhere = places.filter((one) => one !== read).flatMap((one) => reading(one, 'never-stops/cursor-not-found'))
  const counted = nextNumber(subject, place, 'never-stops/cursor-not-found', said)
  return read === undefined ? [...elsewhere, ...counted, ...placed] : [...followed, ...placed, ...elsewhere]
}

/** Pages 0 and 1 are the same page: without a third page, only page 2 shows it. */
function startAtOne(place: ManifestPlace, { evidence }: Said): Hypothesis[] {
  return [
    {
      code: 'first-request/start-page',
      why: 'whether pages are counted from 1',
      says: 'The API counts pages from 1: the first page comes twice.',
      evidence,
      fix: fromOne(place),
    },
  ]
}

function fromOne({ strategy }: ManifestPlace): Hypothesis['fix'] {
  return { says: 'Start from page 1.', edits: set(strategy, { start_from_page: 1 }) }
}

/** The same token under another name, and in another place. */
function placements(
  place: ManifestPlace,
  token: PageToken | null,
  usual: readonly TokenPlace[],
  { says, evidence }: Said,
): Hypothesis[] {
  const now = placedNow(place)
  if (token === null || now === 'path') return []
  const elsewhere = (['request_parameter', 'header'] as const).map((into) => ({ into, name: now?.name ?? '' }))
  const ownName = now === null ? [] : [...usualPlaces(place).map((into) => ({ into, name: now.name })), ...elsewhere]
  const tries = [...ownName.slice(0, 1), ...usual, ...ownName.slice(1)].filter(
    ({ into, name }) => into !== now?.into || name !== now.name,
  )
  return tries.map(
    ({ into, name }): Hypothesis => ({
      code: 'missing/token-not-placed',
      why: `whether ${whereWords[into]} ${name} asks for the next page`,
      says,
      evidence,
      fix: {
        says: `Send it as ${whereWords[into]} ${name}.`,
        edits: [{ path: [...place.paginator, 'page_token_option'], value: requestOption(into, name) }],
      },
      firstTry: token,
    }),
  )
}

/** Null where the token is not sent by the paginator. */
function placedNow({ written: { paginator } }: ManifestPlace): TokenPlace | 'path' | null {
  const option = paginator.page_token_option
  if (!isObject(option)) return null
  if (option.type === 'RequestPath') return 'path'
  const { inject_into: into, field_name: name, field_path: path } = option
  return { into: into as Into, name: isList(path) ? path.join('.') : String(name) }
}

/** A number that is written into every request keeps the read on one page. */
function staticPaging(
  { written: { requester }, requester: path }: ManifestPlace,
  { says, evidence }: Said,
): Hypothesis[] {
  const parameters = requester.request_parameters
  if (typeof parameters !== 'object' || parameters === null) return []
  const fixed = Object.entries(parameters).filter(
    ([name, value]) => (isCountingName(name) || name === 'cursor') && !String(value).includes('{'),
  )
  return fixed.map(
    ([name, value]): Hypothesis => ({
      code: 'duplicates/mixed-methods',
      why: `whether the fixed parameter ${name} keeps the read on one page`,
      says: `${says} Each request also has the fixed parameter ${name}=${String(value)}.`,
      evidence,
      fix: {
        says: `Remove the fixed parameter ${name}.`,
        edits: [{ path: [...path, 'request_parameters', name] }],
      },
    }),
  )
}
