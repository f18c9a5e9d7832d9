/** The names a template may use, as a tree: opened by arrow keys or the pointer, inserted by Enter or a click. */
import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react'
import { access, type NameMember } from '../templates/template-names.ts'

export type NamesTreeProps = { readonly members: readonly NameMember[]; readonly onChoose: (path: string) => void }

export function NamesTree({ members, onChoose }: NamesTreeProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState<string | null>(null)
  const tree = useRef<HTMLDivElement>(null)
  const rows = rowsOf(members, open)
  const at = Math.max(
    rows.findIndex(({ path }) => path === current),
    0,
  )

  const toggle = ({ path, isOpen }: PlaygroundRow) => {
    const changed = new Set(open)
    if (isOpen) changed.delete(path)
    else changed.add(path)
    setOpen(changed)
  }
  const focus = (row: PlaygroundRow | undefined) => {
    if (row === undefined) return
    setCurrent(row.path)
    tree.current?.querySelector<HTMLElement>(`[data-path=${CSS.escape(row.path)}]`)?.focus()
  }
  const key = (event: KeyboardEvent, row: PlaygroundRow) => {
    const moves: Partial<Record<string, () => void>> = {
      ArrowDown: () => focus(rows[at + 1]),
      ArrowUp: () => focus(rows[at - 1]),
      Home: () => focus(rows[0]),
      End: () => focus(rows.at(-1)),
      ArrowRight: () => (row.canOpen && !row.isOpen ? toggle(row) : focus(rows[at + 1])),
      ArrowLeft: () => (row.isOpen ? toggle(row) : focus(rows.find(({ path }) => path === row.owner))),
      Enter: () => onChoose(row.path),
      ' ': () => onChoose(row.path),
    }
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    move()
  }

  return (
    <div className="names-tree" role="tree" tabIndex={-1} aria-label="Names to insert" ref={tree}>
      {rows.map((row, index) => (
        <div
          key={row.path}
          role="treeitem"
          tabIndex={index === at ? 0 : -1}
          aria-level={row.level}
          aria-selected={false}
          aria-expanded={row.canOpen ? row.isOpen : undefined}
          data-path={row.path}
          style={{ '--depth': row.level - 1 } as CSSProperties}
          className="row"
          onKeyDown={(event) => key(event, row)}
          onClick={() => {
            setCurrent(row.path)
            if (row.canOpen) toggle(row)
            else onChoose(row.path)
          }}
        >
          <span className="name">{row.member.name}</span>
          <span className="type">{row.member.type}</span>
          <span className="sample">{row.member.sample}</span>
          <button
            type="button"
            tabIndex={-1}
            aria-label={`Insert ${row.path}`}
            onClick={(event) => {
              event.stopPropagation()
              onChoose(row.path)
            }}
          >
            insert
          </button>
        </div>
      ))}
    </div>
  )
}

type PlaygroundRow = {
  readonly member: NameMember
  /** Its path as a template writes it, which is also the key of the row. */
  readonly path: string
  readonly owner: string | null
  readonly level: number
  readonly canOpen: boolean
  readonly isOpen: boolean
}

/** Enough to read; closing some shows the rest. */
const mostRows = 500

function rowsOf(members: readonly NameMember[], open: ReadonlySet<string>): readonly PlaygroundRow[] {
  const rows: PlaygroundRow[] = []
  const add = (member: NameMember, owner: string | null, level: number) => {
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
