/** The records of all pages of a test, as a table or as JSON, with a search over their values. */
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { count, number } from '../../../std/text/format-count.ts'
import { useRested } from '../../use-debounced.ts'
import { JsonTree } from '../body/json-tree.tsx'
import { useSlashKey } from '../body/search-field.tsx'
import type { ReadState } from '../read-state.ts'
import { columnsOf } from './record-columns.ts'
import { partCount } from './record-parts.ts'
import { RecordsAs, type RecordsForm } from './records-as.tsx'
import { RowGrid } from './row-grid.tsx'
import type { RecordRow } from './use-records.ts'
import { useSeenRows } from './use-seen-rows.ts'
import { type PlacedRecord, useAllRecords } from './use-all-records.ts'

/** Short enough to feel immediate, long enough that a word is one search. */
const restMs = 150

/** Of each page and in all: columns need no more to be known. */
const sampled = { ofPage: 20, all: 1000 }

type AllRecordsProps = {
  readonly read: ReadState
  /** Chooses between this and a single page. */
  readonly scope: ReactNode
  readonly form: RecordsForm
  readonly onForm: (form: RecordsForm) => void
}

export function AllRecords({ read, scope, form, onForm }: AllRecordsProps) {
  const box = useRef<HTMLElement>(null)
  useSlashKey(box)
  const [wanted, setWanted] = useState('')
  const search = useRested(wanted, restMs)
  const { seen, see } = useSeenRows()
  const { counts, recordAt, trouble } = useAllRecords(read, search, seen.first, seen.last)
  // Large ones come after their page.
  const top = recordAt(0)?.record
  const columns = useMemo(() => columnsOf(sampleOf(read, top)), [read, top])
  const places = useMemo(() => pagePlaces(read), [read])
  return (
    <section ref={box} className="records" aria-label="Records of all pages">
      <header>
        {scope}
        <div className="search">
          <input
            type="search"
            className="input"
            aria-label="Search all records"
            aria-keyshortcuts="/"
            placeholder="Search  /"
            spellCheck={false}
            autoComplete="off"
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || wanted === '') return
              event.preventDefault()
              setWanted('')
            }}
          />
        </div>
        <p className="found" aria-live="polite">
          {counts !== null && foundWords(search, counts.found, counts.total)}
        </p>
        <RecordsAs form={form} onForm={onForm} />
      </header>
      {counts !== null && counts.notKept > 0 && (
        <p className="quiet-words">
          Without {count(counts.notKept, 'page')} that the server no longer keeps. Test again with fewer pages to see
          all.
        </p>
      )}
      {counts?.found === 0 && (
        <p className="quiet-words">{search === '' ? 'No page has records.' : `No record has “${search}”.`}</p>
      )}
      {counts !== null && counts.found > 0 && form === 'json' && (
        <FirstAsJson key={search} found={counts.found} search={search} recordAt={recordAt} onSee={see} />
      )}
      {counts !== null && counts.found > 0 && form === 'table' && (
        <RowGrid
          key={search}
          label="Records of all pages"
          columns={columns}
          rowCount={counts.found}
          rowAt={(index) => recordAt(index)?.record}
          onSee={see}
          wanted={search}
          origin={{
            title: places.title,
            width: places.width,
            at: (index) => {
              const placed = recordAt(index)
              return placed === undefined ? '' : places.words(placed)
            },
          }}
        />
      )}
      {trouble !== null && (
        <p className="quiet-words" role="alert">
          {trouble}
        </p>
      )}
    </section>
  )
}

type FirstAsJsonProps = {
  readonly found: number
  readonly search: string
  readonly recordAt: (index: number) => PlacedRecord | undefined
  readonly onSee: (first: number, last: number) => void
}

/** One part of the list: a tree of all of them would be folded, and long. */
function FirstAsJson({ found, search, recordAt, onSee }: FirstAsJsonProps) {
  const most = Math.min(found, partCount)
  useEffect(() => onSee(0, most - 1), [onSee, most])
  const first = Array.from({ length: most }, (_, index) => recordAt(index)?.record)
  if (first.includes(undefined)) return <p className="quiet-words">Loading the records.</p>
  return (
    <>
      <JsonTree value={first} label="Records of all pages as JSON" search={{ wanted: search, step: 0 }} />
      {most < found && <p className="quiet-words">The first {count(most, 'record')}; the table has all.</p>}
    </>
  )
}

/** `12 of 237` */
function foundWords(search: string, found: number, total: number): string {
  return search === '' ? count(total, 'record') : `${number(found)} of ${number(total)}`
}

function sampleOf({ pages }: ReadState, top: RecordRow | undefined): readonly RecordRow[] {
  const known = pages.flatMap(({ records }) => records.slice(0, sampled.ofPage)).slice(0, sampled.all)
  return known.length > 0 || top === undefined ? known : [top]
}

/** `3`, or `2 · 3` for page 3 of slice 2. */
function pagePlaces({ pages, slices }: ReadState) {
  const isCut = slices.length > 1
  const words = ({ slice, page }: { slice: number; page: number }) =>
    isCut ? `${slice + 1} · ${page + 1}` : `${page + 1}`
  const last = words({ slice: slices.length - 1, page: Math.max(...pages.map(({ page }) => page)) })
  const title = isCut ? 'Slice · page' : 'Page'
  return { title, words, width: 16 + Math.max(title.length, last.length) * 7 }
}
