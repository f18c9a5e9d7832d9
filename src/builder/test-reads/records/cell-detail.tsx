/** All of the cell that is looked at: a long text, what is nested as a tree, a number with every digit. */
import { count } from '../../../std/text/format-count.ts'
import { CopyButton } from '../copy-button.tsx'
import { JsonTree } from '../body/json-tree.tsx'
import { kindOf, leafText, membersOf } from '../body/json-rows.ts'
import type { RecordRow } from './use-records.ts'

/** More than anyone reads, and little enough to be laid out at once. */
const mostShown = 20_000

export function CellDetail({ record, row, column }: { record: RecordRow | undefined; row: number; column: string }) {
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
        (membersOf(value).length > 0 ? (
          <JsonTree key={column} value={value} label={column} />
        ) : (
          <pre>{text.slice(0, mostShown)}</pre>
        ))}
      {text.length > mostShown && (
        <p className="quiet-words">
          The first {count(mostShown, 'character')} of {count(text.length, 'character')}. Copy has all.
        </p>
      )}
    </section>
  )
}
