/** A finished read that would replace a table → null to publish it, or why it is held. */
import type { TableRows } from '../destinations/destination.ts'
import type { Judgement } from '../proof/verdict/verdict.ts'
import { type Requirement, suffices, verdictName } from '../proof/verdict/verdict-name.ts'

export type GateRules = {
  /** The lowest verdict that may replace a table. */
  readonly require: Requirement
  /** Publish also what would be held. */
  readonly acceptDrop: boolean
}

/** Why the table was not replaced, and where the new rows are. */
export type Held = {
  /** For people. */
  readonly reason: string
  /** Number of rows that were read and are staged. */
  readonly staged: number
  /** Number of rows in the table, which stay. */
  readonly existing: number
  /** The name of the staged rows in `turnleaf query`; null where there are none. */
  readonly stagedAs: string | null
  /** When they were published after all, ms since 1970. */
  readonly publishedAt?: number
}

/** Null where the table may be replaced. */
export function holdBack(judged: Judgement, rows: TableRows, { require, acceptDrop }: GateRules): Held | null {
  const { published: existing, staged, stagedAs } = rows
  // A table without rows has nothing to protect.
  if (acceptDrop || existing === 0) return null
  const reason = whyNot(judged, rows, require)
  return reason === null ? null : { reason, staged, existing, stagedAs }
}

/** Without proof, less than half of the table's rows is more likely an error than a deletion. */
function whyNot({ verdict, reason }: Judgement, { published, staged }: TableRows, require: Requirement): string | null {
  const said = `${verdictName(verdict)} (${reason})`
  if (!suffices(verdict, require)) return `the read is ${said}, and ${required[require]}`
  if (verdict !== 'unproven' || staged * 2 >= published) return null
  return `the read is ${said}, and has less than half as many rows as the table`
}

const required: Readonly<Record<Requirement, string>> = {
  complete: 'a complete one is required',
  unproven: 'the existing rows may be better',
}

export const defaultGate: GateRules = { require: 'unproven', acceptDrop: false }
