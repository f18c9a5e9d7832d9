/** What must be true of every cell of the table: a walk that went wrong says so, and a walk that did not raises no alarm. */
import type { Cell } from './cell.ts'

/** Where records are lost and nothing that the API says could show it, and why. */
export const unseen: Readonly<Record<string, string>> = {
  'deleted-rows': 'What stood behind the rows that are gone moved forward, past the place that was asked for next.',
}

/** Where the API itself speaks of records that it does not have: whoever repeats its words raises an alarm. */
const tellsOfMore = new Set(['wrong-total'])

/** Null when the cell is right. */
export function wrongIn({ fault, lost, doubled, error, verdict }: Cell): string | null {
  const isHurt = lost > 0 || doubled > 0
  const name = fault?.name ?? ''
  if (error !== null) return isHurt ? null : 'an error, although nothing was lost'
  switch (verdict) {
    case 'complete':
      return isHurt ? 'complete, although records were lost or doubled' : null
    case 'duplicated':
      return doubled > 0 ? null : 'duplicated, although no record came twice'
    case 'incomplete':
      return lost > 0 || tellsOfMore.has(name) ? null : 'incomplete, although no record is missing'
    case 'unproven':
      return isHurt
        ? name in unseen
          ? null
          : 'unproven, although keys or the words of the API show it'
        : tellsOfMore.has(name)
          ? null
          : 'unproven, although the API says where its end is'
    default:
      return 'no verdict'
  }
}
