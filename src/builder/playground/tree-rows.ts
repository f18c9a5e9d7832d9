/** A tree of names and which of them are open → the rows that are seen. */
import type { Member } from '../templates/template-names.ts'

export type PlaygroundRow = {
  readonly member: Member
  /** Its path as a template writes it, which is also the key of the row. */
  readonly path: string
  readonly owner: string | null
  readonly level: number
  readonly canOpen: boolean
  readonly isOpen: boolean
}

/** Nobody reads more; closing some shows the rest. */
const mostRows = 500

export function rowsOf(
  members: readonly Member[],
  open: ReadonlySet<string>,
  access: (owner: string, member: Member) => string,
): readonly PlaygroundRow[] {
  const rows: PlaygroundRow[] = []
  const add = (member: Member, owner: string | null, level: number) => {
    if (rows.length >= mostRows) return
    const path = owner === null ? member.name : access(owner, member)
    const canOpen = member.members !== undefined
    const isOpen = canOpen && open.has(path)
    rows.push({ member, path, owner, level, canOpen, isOpen })
    if (isOpen) for (const below of member.members?.() ?? []) add(below, path, level + 1)
  }
  for (const member of members) add(member, null, 1)
  return rows
}
