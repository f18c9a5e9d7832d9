/** The records of a page as a table; those that did not come with it are fetched when they come into sight. */
import { useCallback, useMemo, useState } from 'react'
import type { ReadPage } from '../../../server/wire/test-read.ts'
import { columnsOf } from './columns.ts'
import { RowGrid } from './row-grid.tsx'
import { type RecordRow, useRecords } from './use-records.ts'

export function RecordsTable({ read, page }: { read: string | null; page: ReadPage }) {
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
