/** What was found → a candidate: in words, as facts, and as the paginator of a manifest. */
import type { Candidate, CandidateFacts, Placed } from './detection.ts'
import type { Mover } from './guesses.ts'
import type { Pointer } from './pointers.ts'
import { placedOf, type Slot, slotName } from './question.ts'
import type { Sizing } from './find-size.ts'
import type { Flag } from './walk.ts'

const where: Readonly<Record<Placed['into'], string>> = {
  request_parameter: 'the query parameter',
  header: 'the header',
  body_json: 'the JSON body at',
  body_data: 'the form field',
}

export function optionOf({ into, path }: Slot): Record<string, unknown> {
  const place = path.length > 1 ? { field_path: [...path] } : { field_name: path[0] }
  return { type: 'RequestOption', inject_into: into, ...place }
}

/** A value of the answer, safe where objects on the way are missing or null: some APIs drop them on the last page. */
export function responseAt(path: readonly string[]): string {
  const quoted = (name: string) => `'${name.replaceAll(/['\\]/g, String.raw`\$&`)}'`
  const [only] = path
  if (path.length === 1 && only !== undefined) {
    return /^[a-z_]\w*$/i.test(only) && !dictMethods.has(only) ? `response.${only}` : `response[${quoted(only)}]`
  }
  return path.reduce(
    (inner, name, index) => `${index === 0 ? 'response' : `(${inner} or {})`}.get(${quoted(name)})`,
    'response',
  )
}

/** An attribute of these names would be the method of the dictionary. */
const dictMethods = new Set([
  'get',
  'items',
  'keys',
  'values',
  'pop',
  'update',
  'copy',
  'clear',
  'setdefault',
  'popitem',
])

function paginatorOf(
  strategy: Record<string, unknown>,
  token: Record<string, unknown>,
  sizing: Sizing,
): Record<string, unknown> {
  return {
    type: 'DefaultPaginator',
    pagination_strategy: strategy,
    page_token_option: token,
    ...(sizing.slot !== null && { page_size_option: optionOf(sizing.slot) }),
  }
}

function sized({ slot, pageSize }: Sizing): { page_size?: number } {
  return slot === null ? {} : { page_size: pageSize }
}

function factsOf(sizing: Sizing, more: Partial<CandidateFacts>): CandidateFacts {
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
      cursorAt: pointer.from === 'header' ? `header ${at}` : at,
      stops: isLink ? 'when the Link header names no next page' : 'when there is no address',
    }),
  }
}

function valueAt({ from, path }: Pointer): string {
  return from === 'header' ? `headers.get('${path[0] ?? ''}')` : responseAt(path)
}

export type TokenEnding = { readonly flag: Flag | null; readonly staysAtEnd: boolean }

export function byToken(
  pointer: Pointer,
  slot: Slot,
  sizing: Sizing,
  { flag, staysAtEnd }: TokenEnding,
  evidence: readonly string[],
): Candidate {
  const at = pointer.path.join('.')
  const stop = flag !== null ? stopBy(flag) : staysAtEnd ? '{{ last_page_size == 0 }}' : null
  const strategy = {
    type: 'CursorPagination',
    ...sized(sizing),
    cursor_value: `{{ ${valueAt(pointer)} }}`,
    ...(stop !== null && { stop_condition: stop }),
  }
  return {
    method: 'cursor',
    says: `The value at ${pointer.from === 'header' ? `header ${at}` : at} goes into ${where[slot.into]} ${slotName(slot)}${sayPages(sizing)}`,
    confidence: 'shown',
    evidence,
    paginator: paginatorOf(strategy, optionOf(slot), sizing),
    facts: factsOf(sizing, {
      token: placedOf(slot),
      cursorAt: pointer.from === 'header' ? `header ${at}` : at,
      stops: flag === null ? 'when there is no token' : `when ${flag.path.join('.')} says so`,
    }),
  }
}

function stopBy({ path, meansMore }: Flag): string {
  return meansMore ? `{{ not ${grouped(path)} }}` : `{{ ${responseAt(path)} }}`
}

function grouped(path: readonly string[]): string {
  return path.length === 1 ? responseAt(path) : `(${responseAt(path)})`
}

export type NumberFacts = {
  readonly needsFirst: boolean
  readonly flag: Flag | null
  /** The field that identifies a record. */
  readonly id: string | null
  readonly evidence: readonly string[]
}

export function byNumber(mover: Mover, sizing: Sizing, { needsFirst, flag, id, evidence }: NumberFacts): Candidate {
  const { kind, slot, base } = mover
  const name = `${where[slot.into]} ${slotName(slot)}`
  const size = { page_size: sizing.pageSize }
  const first = needsFirst ? { inject_on_first_request: true } : {}
  const facts = { token: placedOf(slot), stops: `when a page has fewer than ${sizing.pageSize} records` }
  if (kind === 'offset') {
    const strategy = { type: 'OffsetIncrement', ...size, ...first }
    return {
      method: 'offset',
      says: `Offset in ${name}${sayPages(sizing)}`,
      confidence: 'shown',
      evidence,
      paginator: paginatorOf(strategy, optionOf(slot), sizing),
      facts: factsOf(sizing, facts),
    }
  }
  if (kind === 'page') {
    const strategy = { type: 'PageIncrement', ...size, start_from_page: base, ...first }
    return {
      method: 'page',
      says: `Page number from ${base} in ${name}${sayPages(sizing)}`,
      confidence: 'shown',
      evidence,
      paginator: paginatorOf(strategy, optionOf(slot), sizing),
      facts: factsOf(sizing, { ...facts, firstPage: base }),
    }
  }
  const stop = flag !== null ? stopBy(flag) : `{{ last_page_size < ${sizing.pageSize} }}`
  const strategy = {
    type: 'CursorPagination',
    ...sized(sizing),
    cursor_value: `{{ last_record['${id ?? 'id'}'] }}`,
    stop_condition: stop,
  }
  return {
    method: 'start-after',
    says: `The ${id ?? 'id'} of the last record goes into ${name}${sayPages(sizing)}`,
    confidence: 'shown',
    evidence,
    paginator: paginatorOf(strategy, optionOf(slot), sizing),
    facts: factsOf(sizing, {
      token: placedOf(slot),
      cursorAt: `last record, ${id ?? 'id'}`,
      stops: flag === null ? facts.stops : `when ${flag.path.join('.')} says so`,
    }),
  }
}

export function notPaginated(count: number, tried: readonly string[]): Candidate {
  return {
    method: 'none',
    says: 'One request brings everything',
    confidence: 'shown',
    evidence: [`Without effect: ${tried.join(', ')}`],
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
