/** What a page brought, as a table or as JSON. */
import { useCallback, useMemo, useState } from 'react'
import { count } from '../../../std/text/format-count.ts'
import type { ReadPage } from '../../../server/wire/test-read.ts'
import { Segments } from '../../editor/segments.tsx'
import { JsonTree } from '../body/json-tree.tsx'
import { columnsOf } from './record-columns.ts'
import { RowGrid } from './row-grid.tsx'
import { type RecordRow, useRecords } from './use-records.ts'
import './records.css'

const views = [
  { name: 'table', label: 'Table' },
  { name: 'json', label: 'JSON' },
] as const

export function RecordsView({ read, page }: { read: string | null; page: ReadPage }) {
  const [view, setView] = useState<'table' | 'json'>('table')
  const { received, emitted, records } = page
  const filtered = received - emitted
  if (emitted === 0) {
    return (
      <p className="quiet-words">
        {received === 0 ? 'The page has no records.' : `None of ${count(received, 'record')} passed the filter.`}
      </p>
    )
  }
  return (
    <section className="records" aria-label="Records of the page">
      <header>
        <p>
          {count(emitted, 'record')}
          {filtered > 0 && `, ${count(filtered, 'other')} filtered out`}
        </p>
        <Segments label="Records as" chosen={view} choices={views} onChoose={setView} />
      </header>
      {view === 'table' ? (
        <RecordsTable key={`${read} ${page.slice} ${page.page}`} read={read} page={page} />
      ) : (
        <>
          <JsonTree value={records} label="Records as JSON" />
          {records.length < emitted && (
            <p className="quiet-words">The first {count(records.length, 'record')}; the table has all.</p>
          )}
        </>
      )}
    </section>
  )
}

function RecordsTable({ read, page }: { read: string | null; page: ReadPage }) {
  const [seen, setSeen] = useState({ first: 0, last: 0 })
  const { recordAt, trouble } = useRecords(read, page, seen.first, seen.last)
  // Large ones come after their page.
  const top = recordAt(0)
  const columns = useMemo(() => columnsOf(known(page, top)), [page, top])
  const see = useCallback((first: number, last: number) => setSeen({ first, last }), [])
  return (
    <>
      <RowGrid label="Records" columns={columns} rowCount={page.emitted} rowAt={recordAt} onSee={see} />
      {trouble !== null && (
        <p className="quiet-words" role="alert">
          {trouble}
        </p>
      )}
    </>
  )
}

function known({ records }: ReadPage, top: RecordRow | undefined): readonly RecordRow[] {
  return records.length > 0 || top === undefined ? records : [top]
}
