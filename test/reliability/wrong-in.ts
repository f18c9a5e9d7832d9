/** What must be true of every cell of the table: a read that went wrong reports it, and one that did not raises no alarm. */
import type { FindingCode } from '../../src/proof/diagnosis/finding-codes.ts'
import type { Cell, Outcome } from './cell.ts'

/** Where records are lost and nothing that the API says could show it. */
export const unseen: ReadonlySet<string> = new Set(['deleted-rows'])

/** Where the API itself claims records that it does not have: repeating its claim raises an alarm. */
const tellsOfMore: ReadonlySet<string> = new Set(['wrong-total'])

/** What a diagnosis calls each fault. */
const names: Readonly<Record<string, FindingCode>> = {
  'capped-size': 'missing/page-size-capped',
  'ignored-parameter': 'never-stops/same-page',
  'rejects-first': 'first-request/injection-rejected',
  'requires-first': 'first-request/injection-required',
  'rate-limit': 'api/rate-limited',
  'expired-cursor': 'api/cursor-expired',
  'repeated-cursor': 'never-stops/same-page',
  cycle: 'never-stops/cycle',
  'empty-page': 'api/empty-page',
  'short-page': 'api/short-page',
  'duplicate-page': 'api/repeated-page',
  'inserted-rows': 'api/rows-moved',
  'deleted-rows': 'api/rows-moved',
  'wrong-total': 'api/wrong-total',
  html: 'api/not-json',
  truncated: 'api/cut-body',
  'foreign-link': 'api/foreign-link',
}

/** What a read survives, and a diagnosis still mentions. */
const mentioned: ReadonlySet<string> = new Set(['rate-limit', 'wrong-total', 'foreign-link'])

/** Null when the cell is right. */
export function wrongIn(cell: Cell): string | null {
  return wrongInVerdict(cell.fault?.name ?? '', cell) ?? wrongInFindings(cell)
}

function wrongInVerdict(fault: string, { error, verdict, ...outcome }: Outcome): string | null {
  const { lost, doubled } = outcome
  if (error !== null) return isHurt(outcome) ? null : 'an error, although nothing was lost'
  switch (verdict) {
    case 'complete':
      return isHurt(outcome) ? 'complete, although records were lost or doubled' : null
    case 'duplicated':
      return doubled > 0 ? null : 'duplicated, although no record came twice'
    case 'incomplete':
      return lost > 0 || tellsOfMore.has(fault) ? null : 'incomplete, although no record is missing'
    case 'unproven':
      if (isHurt(outcome)) return unseen.has(fault) ? null : 'unproven, although keys or the words of the API show it'
      return tellsOfMore.has(fault) ? null : 'unproven, although the API says where its end is'
    default:
      return 'no verdict'
  }
}

function wrongInFindings({ fault, findings, fixed, ...outcome }: Cell): string | null {
  const name = fault?.name ?? ''
  const expected = isHurt(outcome) || mentioned.has(name) ? [names[name]] : []
  if (findings.join() !== expected.join()) return `found ${findings.join(', ') || 'nothing'}`
  if (fixed !== null && (isHurt(fixed) || fixed.error !== null))
    return 'the fixed manifest still loses or duplicates records'
  return null
}

function isHurt({ lost, doubled }: Pick<Outcome, 'lost' | 'doubled'>): boolean {
  return lost > 0 || doubled > 0
}
