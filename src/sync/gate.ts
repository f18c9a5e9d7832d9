/** A finished read that would replace a table → published, or held: its verdict decides what it may do to rows that are there. */
import type { TableRows } from '../destinations/destination.ts'
import { type Judgement, type Requirement, suffices } from '../proof/verdict/verdict.ts'

export type GateRules = {
  /** The least that the verdict on a stream may say. */
  readonly require: Requirement
  /** Publish what would be held. */
  readonly acceptDrop: boolean
}

/** Why the table was not replaced, and where the new rows are. */
export type Held = {
  /** For people. */
  readonly reason: string
  /** Rows that were read and are staged. */
  readonly staged: number
  /** Rows that the table has, and keeps. */
  readonly existing: number
  /** What `turnleaf query` calls the staged rows; null where there are none. */
  readonly stagedAs: string | null
  /** When somebody published them after all, ms since 1970. */
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

/** Without proof, fewer rows than half of those in the table are more likely a fault than a deletion. */
function whyNot({ verdict, reason }: Judgement, { published, staged }: TableRows, require: Requirement): string | null {
  const said = `${verdict === 'unproven' ? 'not verified' : verdict} (${reason})`
  if (!suffices(verdict, require)) return `the read is ${said}, and ${required[require]}`
  if (verdict !== 'unproven' || staged * 2 >= published) return null
  return `the read is ${said}, and brought less than half of the rows that are there`
}

const required: Readonly<Record<Requirement, string>> = {
  complete: 'a complete one is required',
  unproven: 'the rows that are there may be better',
}

/** A gate for those who set none. */
export const defaultGate: GateRules = { require: 'unproven', acceptDrop: false }
