/** The tables with their rows; choosing one shows its first rows, and its columns beneath. */
import { useState } from 'react'
import { count, number } from '../../../std/text/format-count.ts'
import type { LandedTable } from '../../../server/wire/sync.ts'
import { tableName } from './sql.ts'

export function TableList({
  connector,
  tables,
  onChoose,
}: {
  /** Its tables come first; those of others are folded. */
  readonly connector: string
  readonly tables: readonly LandedTable[] | undefined
  readonly onChoose: (table: LandedTable) => void
}) {
  const [open, setOpen] = useState<string | null>(null)
  const own = tables?.filter(({ schema }) => schema === connector)
  const others = tables?.filter(({ schema }) => schema !== connector) ?? []
  const choose = (table: LandedTable) => {
    setOpen(tableName(table))
    onChoose(table)
  }
  return (
    <div className="table-list">
      <h3>Tables</h3>
      {own?.length === 0 && (
        <p className="none">None yet. The first sync into the database of this server creates one for each stream.</p>
      )}
      <Tables tables={own ?? []} open={open} onChoose={choose} />
      {others.length > 0 && (
        <details className="others">
          <summary>{count(others.length, 'table')} of other connectors</summary>
          <Tables tables={others} open={open} onChoose={choose} />
        </details>
      )}
    </div>
  )
}

function Tables({
  tables,
  open,
  onChoose,
}: {
  readonly tables: readonly LandedTable[]
  readonly open: string | null
  readonly onChoose: (table: LandedTable) => void
}) {
  return (
    <ul>
      {tables.map((table) => {
        const name = tableName(table)
        const isOpen = name === open
        return (
          <li key={name}>
            <button type="button" aria-expanded={isOpen} onClick={() => onChoose(table)}>
              <span className="name mono">
                {table.schema === 'main' ? table.name : `${table.schema}.${table.name}`}
              </span>
              <span className="rows">
                {number(table.rows)}
                <span className="hidden"> rows</span>
              </span>
            </button>
            {isOpen && <Columns columns={table.columns} />}
          </li>
        )
      })}
    </ul>
  )
}

function Columns({ columns }: Pick<LandedTable, 'columns'>) {
  return (
    <ul className="columns-of appears" aria-label="Columns">
      {columns.map(({ name, type }) => (
        <li key={name}>
          <span className="mono">{name}</span> <small>{type.toLowerCase()}</small>
        </li>
      ))}
    </ul>
  )
}
