/** A parameter that counts, or takes the key of the last record → a candidate. */
import { factsOf, placeOf, sayPages } from './candidates.ts'
import type { Candidate } from './detection.ts'
import type { Sizing } from './find-size.ts'
import type { Mover } from './guesses.ts'
import type { PageCount } from './page-count.ts'
import { optionOf, paginatorOf, quoted, responseAt, sized, stopBy, templateFor } from './paginator.ts'
import { placedOf } from './question.ts'
import type { Flag } from './walk.ts'

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
    says: `Page number from ${base} in ${placeOf(slot)}${sayPages(sizing)}`,
    confidence: 'shown',
    evidence: [...evidence, `the last page is known by its number: ${position.join('.')} is then ${last}`],
    paginator: paginatorOf(strategy, optionOf(slot), sizing),
    facts: factsOf(sizing, { token: placedOf(slot), firstPage: base, stops }),
  }
}

type NumberFacts = {
  readonly needsFirst: boolean
  readonly flag: Flag | null
  /** The field that identifies a record. */
  readonly id: string | null
  readonly evidence: readonly string[]
}

export function byNumber(mover: Mover, sizing: Sizing, { needsFirst, flag, id, evidence }: NumberFacts): Candidate {
  const { kind, slot, base } = mover
  const name = placeOf(slot)
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
      facts: factsOf(sizing, facts),
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
      facts: factsOf(sizing, { ...facts, firstPage: base }),
      ...templated,
    }
  }
  const stop = flag !== null ? stopBy(flag) : `{{ last_page_size < ${sizing.pageSize} }}`
  const strategy = {
    type: 'CursorPagination',
    ...sized(sizing),
    cursor_value: `{{ last_record[${quoted(id ?? 'id')}] }}`,
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
