/** All of the cell that is looked at: a long text whole, what is nested as a tree, a number with every digit. */
import { CopyButton } from '../copy-button.tsx'
import { JsonTree } from '../body/json-tree.tsx'
import { kindOf, leafText, membersOf } from '../body/json-rows.ts'
import type { Row } from './use-records.ts'

export function CellDetail({ record, row, column }: { record: Row | undefined; row: number; column: string }) {
  const isThere = record !== undefined && Object.hasOwn(record, column)
  const value = isThere ? record[column] : undefined
  const kind = isThere ? kindOf(value) : 'not there'
  const text = typeof value === 'string' ? value : leafText(value)
  return (
    <section className="cell-detail" aria-label={`${column} of record ${row + 1}`}>
      <header>
        <span className="mono">{column}</span>
        <span className="kind">{kind}</span>
        {isThere && <CopyButton label="Copy" text={() => text} />}
      </header>
      {isThere &&
        (membersOf(value).length > 0 ? <JsonTree key={column} value={value} label={column} /> : <pre>{text}</pre>)}
    </section>
  )
}
