/** What a page brought, as a table or as JSON. */
import { useState } from 'react'
import { count } from '../../../std/text/format-count.ts'
import type { ReadPage } from '../../../server/wire/test-read.ts'
import { Segments } from '../../editor/segments.tsx'
import { JsonTree } from '../body/json-tree.tsx'
import './records.css'
import { RecordsTable } from './records-table.tsx'

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
