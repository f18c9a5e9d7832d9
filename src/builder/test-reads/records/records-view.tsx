/** What a page brought, as a table or as JSON; or the records of all pages. */
import { useMemo, useState, type ReactNode } from 'react'
import { count } from '../../../std/text/format-count.ts'
import type { ReadPage } from '../../../server/wire/test-read.ts'
import { Segments } from '../../editor/segments.tsx'
import { JsonTree } from '../body/json-tree.tsx'
import type { ReadState } from '../read-state.ts'
import { AllRecords } from './all-records.tsx'
import { columnsOf } from './record-columns.ts'
import { RecordsAs, type RecordsForm } from './records-as.tsx'
import { RowGrid } from './row-grid.tsx'
import { useSeenRows } from './use-seen-rows.ts'
import { type RecordRow, useRecords } from './use-records.ts'
import './records.css'

export function RecordsView({ read, page }: { read: ReadState; page: ReadPage }) {
  const [scope, setScope] = useState<'page' | 'all'>('page')
  const [form, setForm] = useState<RecordsForm>('table')
  const isOne = read.pages.length === 1
  const choice = isOne ? null : (
    <Segments
      label="Records of"
      chosen={scope}
      choices={[
        { name: 'page', label: `Page ${page.page + 1}` },
        { name: 'all', label: 'All pages' },
      ]}
      onChoose={setScope}
    />
  )
  const shown = { scope: choice, form, onForm: setForm }
  if (scope === 'all' && !isOne) return <AllRecords key={read.id} read={read} {...shown} />
  return <PageRecords read={read.id} page={page} {...shown} />
}

type PageRecordsProps = {
  readonly read: string | null
  readonly page: ReadPage
  readonly scope: ReactNode
  readonly form: RecordsForm
  readonly onForm: (form: RecordsForm) => void
}

function PageRecords({ read, page, scope, form, onForm }: PageRecordsProps) {
  const { received, emitted, records } = page
  const filtered = received - emitted
  return (
    <section className="records" aria-label="Records of the page">
      <header>
        {scope}
        <p className={emitted === 0 ? 'quiet-words' : undefined}>
          {emitted === 0
            ? noneWords(received)
            : `${count(emitted, 'record')}${filtered > 0 ? `, ${count(filtered, 'other')} filtered out` : ''}`}
        </p>
        {emitted > 0 && <RecordsAs form={form} onForm={onForm} />}
      </header>
      {emitted > 0 &&
        (form === 'table' ? (
          <RecordsTable key={`${read} ${page.slice} ${page.page}`} read={read} page={page} />
        ) : (
          <>
            <JsonTree value={records} label="Records as JSON" />
            {records.length < emitted && (
              <p className="quiet-words">The first {count(records.length, 'record')}; the table has all.</p>
            )}
          </>
        ))}
    </section>
  )
}

function noneWords(received: number): string {
  return received === 0 ? 'The page has no records.' : `None of ${count(received, 'record')} passed the filter.`
}

function RecordsTable({ read, page }: { read: string | null; page: ReadPage }) {
  const { seen, see } = useSeenRows()
  const { recordAt, trouble } = useRecords(read, page, seen.first, seen.last)
  // Large ones come after their page.
  const top = recordAt(0)
  const columns = useMemo(() => columnsOf(known(page, top)), [page, top])
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
