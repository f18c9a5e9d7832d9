/** What was found → a candidate: in words, as facts, and as a paginator for the manifest. */
import type { Candidate, CandidateFacts, CandidatePlacement } from './detection.ts'
import { type Pointer, pointerName, type TokenObject } from './pointers.ts'
import { placedOf, type Slot, slotName } from './probe-request.ts'
import type { Sizing } from './find-size.ts'
import {
  guardedAt,
  optionOf,
  paginatorOf,
  sized,
  stopBy,
  tokensTemplate,
  pointerTemplate,
  templateString,
  responseAt,
  templateFor,
} from './paginator.ts'
import type { MoreFlag } from './first-page-claims.ts'
import type { Mover } from './guesses.ts'

const where: Readonly<Record<CandidatePlacement['into'], string>> = {
  request_parameter: 'the query parameter',
  header: 'the header',
  body_json: 'the JSON body at',
  body_data: 'the form field',
  path: 'the path',
}

/** `the query parameter page` */
function describeSlot(slot: Slot): string {
  return slot.into === 'path' ? where.path : `${where[slot.into]} ${slotName(slot)}`
}

function candidateFacts(sizing: Sizing, more: Partial<CandidateFacts>): CandidateFacts {
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

function sayPages({ slot, pageSize }: Sizing): string {
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
    : { cursor_value: `{{ ${pointerTemplate(pointer)} }}` }
  const place = isLink ? 'the Link header' : pointer.from === 'header' ? `the header ${at}` : at
  return {
    method: isLink ? 'link-header' : 'next-url',
    says: `The next URL is in ${place}${sayPages(sizing)}`,
    confidence: 'shown',
    evidence,
    paginator: paginatorOf(
      { type: 'CursorPagination', ...sized(sizing), ...strategy },
      { type: 'RequestPath' },
      sizing,
    ),
    facts: candidateFacts(sizing, {
      cursorAt: pointerName(pointer),
      stops: isLink ? 'when the Link header names no next page' : 'when there is no address',
    }),
  }
}

type TokenEnding = { readonly flag: MoreFlag | null; readonly staysAtEnd: boolean }

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
    cursor_value: `{{ ${pointerTemplate(pointer)} }}`,
    ...(stop !== null && { stop_condition: stop }),
  }
  return {
    method: 'cursor',
    says: `The value at ${pointerName(pointer)} goes into ${describeSlot(slot)}${sayPages(sizing)}`,
    confidence: 'shown',
    evidence,
    paginator: paginatorOf(strategy, optionOf(slot), sizing),
    facts: candidateFacts(sizing, {
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
    facts: candidateFacts(sizing, {
      token: { into: 'request_parameter', name: names[0] ?? '' },
      cursorAt: at,
      stops: `when there is no ${at}`,
    }),
    template: { into: 'request_parameters', names, text: tokensTemplate },
  }
}

/** How many names are mentioned; the probes list all of them. */
const namesSaid = 8

/** `end`: where the API itself says that nothing follows. Silence and names without effect alone show nothing. */
export function unpaginatedCandidate(count: number, tried: readonly string[], end: string | null): Candidate {
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
    says: `The value at ${at} may lead to the next page`,
    confidence: 'possible',
    evidence: ['its name says so, and nothing else does'],
    paginator: null,
    facts: { ...candidateFacts(none, { cursorAt: at, stops: 'when the value is missing' }), pageSize: null },
  }
}

/** A parameter that counts, or takes the key of the last record → a candidate. */
export type PageCount = {
  /** Where a response says which page it is, and how many there are. */
  readonly position: readonly string[]
  readonly pages: readonly string[]
}

/** Pages with numbers, to the one that says that it is the last: past it, a page comes again. */
export function byPageCount(
  { slot, base }: Mover,
  sizing: Sizing,
  { position, pages }: PageCount,
  evidence: readonly string[],
): Candidate {
  const [at, count] = [`(${responseAt(position)} or 0)`, `(${responseAt(pages)} or 0)`]
  const strategy = {
    type: 'CursorPagination',
    ...sized(sizing),
    cursor_value: `{{ ${at} + 1 }}`,
    stop_condition: `{{ ${at}${base === 0 ? ' + 1' : ''} >= ${count} }}`,
  }
  const last = `${pages.join('.')}${base === 0 ? ' - 1' : ''}`
  const stops = `when ${position.join('.')} reaches ${last}`
  return {
    method: 'page',
    says: `Page number from ${base} in ${describeSlot(slot)}${sayPages(sizing)}`,
    confidence: 'shown',
    evidence: [...evidence, `the last page is known by its number: ${position.join('.')} is then ${last}`],
    paginator: paginatorOf(strategy, optionOf(slot), sizing),
    facts: candidateFacts(sizing, { token: placedOf(slot), firstPage: base, stops }),
  }
}

type NumberFacts = {
  readonly needsFirst: boolean
  readonly flag: MoreFlag | null
  /** The field that identifies a record. */
  readonly id: string | null
  readonly evidence: readonly string[]
}

export function byNumber(mover: Mover, sizing: Sizing, { needsFirst, flag, id, evidence }: NumberFacts): Candidate {
  const { kind, slot, base } = mover
  const name = describeSlot(slot)
  const size = { page_size: sizing.pageSize }
  const first = needsFirst ? { inject_on_first_request: true } : {}
  const template = templateFor(slot, kind === 'position')
  const templated = template === null ? {} : { template }
  const option = template === null ? optionOf(slot) : null
  const facts = { token: placedOf(slot), stops: `when a page has fewer than ${sizing.pageSize} records` }
  if (kind === 'offset' || kind === 'position') {
    const isFromOne = kind === 'position'
    const strategy = {
      type: 'OffsetIncrement',
      ...size,
      ...(isFromOne ? { inject_on_first_request: true } : first),
    }
    return {
      method: 'offset',
      says: `${isFromOne ? 'Number of the first record, from 1,' : 'Offset'} in ${name}${sayPages(sizing)}`,
      confidence: 'shown',
      evidence,
      paginator: paginatorOf(strategy, option, sizing),
      facts: candidateFacts(sizing, facts),
      ...templated,
    }
  }
  if (kind === 'page') {
    const strategy = { type: 'PageIncrement', ...size, start_from_page: base, ...first }
    return {
      method: 'page',
      says: `Page number from ${base} in ${name}${sayPages(sizing)}`,
      confidence: 'shown',
      evidence,
      paginator: paginatorOf(strategy, option, sizing),
      facts: candidateFacts(sizing, { ...facts, firstPage: base }),
      ...templated,
    }
  }
  const stop = flag !== null ? stopBy(flag) : `{{ last_page_size < ${sizing.pageSize} }}`
  const strategy = {
    type: 'CursorPagination',
    ...sized(sizing),
    cursor_value: `{{ last_record[${templateString(id ?? 'id')}] }}`,
    stop_condition: stop,
  }
  return {
    method: 'start-after',
    says: `The ${id ?? 'id'} of the last record goes into ${name}${sayPages(sizing)}`,
    confidence: 'shown',
    evidence,
    paginator: paginatorOf(strategy, optionOf(slot), sizing),
    facts: candidateFacts(sizing, {
      token: placedOf(slot),
      cursorAt: `last record, ${id ?? 'id'}`,
      stops: flag === null ? facts.stops : `when ${flag.path.join('.')} says so`,
    }),
  }
}
