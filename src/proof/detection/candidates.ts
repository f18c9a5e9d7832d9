/** What was found → a candidate: in words, as facts, and as the paginator of a manifest. */
import type { Candidate, CandidateFacts, Placed } from './detection.ts'
import { type Pointer, pointerName } from './pointers.ts'
import { placedOf, type Slot, slotName } from './question.ts'
import type { Sizing } from './find-size.ts'
import { guardedAt, optionOf, paginatorOf, sized, stopBy, tokensTemplate, valueAt } from './paginator.ts'
import type { TokenObject } from './token-objects.ts'
import type { Flag } from './walk.ts'

const where: Readonly<Record<Placed['into'], string>> = {
  request_parameter: 'the query parameter',
  header: 'the header',
  body_json: 'the JSON body at',
  body_data: 'the form field',
  path: 'the path',
}

/** `the query parameter page` */
export function placeOf(slot: Slot): string {
  return slot.into === 'path' ? where.path : `${where[slot.into]} ${slotName(slot)}`
}

export function factsOf(sizing: Sizing, more: Partial<CandidateFacts>): CandidateFacts {
  return {
    token: null,
    size: sizing.slot === null ? null : placedOf(sizing.slot),
    firstPage: null,
    pageSize: sizing.pageSize,
    sizeCap: sizing.cap,
    cursorAt: null,
    stops: '',
    ...more,
  }
}

export function sayPages({ slot, pageSize }: Sizing): string {
  return slot === null ? '' : `, ${pageSize} a page by ${slotName(slot)}`
}

export function followed(pointer: Pointer, sizing: Sizing, evidence: readonly string[]): Candidate {
  const isLink = pointer.kind === 'link-header'
  const at = pointer.path.join('.')
  const strategy = isLink
    ? {
        cursor_value: "{{ headers['link']['next']['url'] }}",
        stop_condition: "{{ 'next' not in headers['link'] }}",
      }
    : { cursor_value: `{{ ${valueAt(pointer)} }}` }
  const place = isLink ? 'the Link header' : pointer.from === 'header' ? `the header ${at}` : at
  return {
    method: isLink ? 'link-header' : 'next-url',
    says: `The next address stands in ${place}${sayPages(sizing)}`,
    confidence: 'shown',
    evidence,
    paginator: paginatorOf(
      { type: 'CursorPagination', ...sized(sizing), ...strategy },
      { type: 'RequestPath' },
      sizing,
    ),
    facts: factsOf(sizing, {
      cursorAt: pointerName(pointer),
      stops: isLink ? 'when the Link header names no next page' : 'when there is no address',
    }),
  }
}

type TokenEnding = { readonly flag: Flag | null; readonly staysAtEnd: boolean }

export function byToken(
  pointer: Pointer,
  slot: Slot,
  sizing: Sizing,
  { flag, staysAtEnd }: TokenEnding,
  evidence: readonly string[],
): Candidate {
  const stop = flag !== null ? stopBy(flag) : staysAtEnd ? '{{ last_page_size == 0 }}' : null
  const strategy = {
    type: 'CursorPagination',
    ...sized(sizing),
    cursor_value: `{{ ${valueAt(pointer)} }}`,
    ...(stop !== null && { stop_condition: stop }),
  }
  return {
    method: 'cursor',
    says: `The value at ${pointerName(pointer)} goes into ${placeOf(slot)}${sayPages(sizing)}`,
    confidence: 'shown',
    evidence,
    paginator: paginatorOf(strategy, optionOf(slot), sizing),
    facts: factsOf(sizing, {
      token: placedOf(slot),
      cursorAt: pointerName(pointer),
      stops: flag === null ? 'when there is no token' : `when ${flag.path.join('.')} says so`,
    }),
  }
}

export function byObject({ path, members }: TokenObject, sizing: Sizing, evidence: readonly string[]): Candidate {
  const at = path.join('.')
  const names = Object.keys(members)
  const strategy = { type: 'CursorPagination', ...sized(sizing), cursor_value: `{{ ${guardedAt(path)} }}` }
  return {
    method: 'cursor',
    says: `All members of ${at} go back as query parameters of their names (${names.join(', ')})${sayPages(sizing)}`,
    confidence: 'shown',
    evidence,
    paginator: paginatorOf(strategy, null, sizing),
    facts: factsOf(sizing, {
      token: { into: 'request_parameter', name: names[0] ?? '' },
      cursorAt: at,
      stops: `when there is no ${at}`,
    }),
    template: { into: 'request_parameters', names, text: tokensTemplate },
  }
}

/** How many names are said; all of them stand in the requests. */
const namesSaid = 8

/** `end`: where the API itself says that nothing follows. Silence and names without effect alone show nothing. */
export function notPaginated(count: number, tried: readonly string[], end: string | null): Candidate {
  const others = tried.length > namesSaid ? ` and ${tried.length - namesSaid} others` : ''
  const silent = tried.length === 0 ? [] : [`Without effect: ${tried.slice(0, namesSaid).join(', ')}${others}`]
  return {
    method: 'none',
    says: 'One request brings everything',
    confidence: end === null ? 'likely' : 'shown',
    evidence: end === null ? silent : [...silent, end],
    paginator: null,
    facts: {
      token: null,
      size: null,
      firstPage: null,
      pageSize: count,
      sizeCap: null,
      cursorAt: null,
      stops: 'after the first page',
    },
  }
}

/** By its name alone: what was not followed, or led nowhere. */
export function possible(pointer: Pointer): Candidate {
  const at = pointerName(pointer)
  const none: Sizing = { slot: null, pageSize: 0, cap: null, evidence: [], largest: null }
  return {
    method: pointer.kind === 'token' ? 'cursor' : pointer.kind,
    says: `What stands at ${at} may lead to the next page`,
    confidence: 'possible',
    evidence: ['its name says so, and nothing else does'],
    paginator: null,
    facts: { ...factsOf(none, { cursorAt: at, stops: 'when nothing stands there' }), pageSize: null },
  }
}
