/** The tables, a query in SQL, its result. */
import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from 'react'
import { keyLabel } from '../../keys/use-keys.ts'
import { ResultView } from './result-view.tsx'
import { firstRowsOf } from './sql.ts'
import { TableList } from './table-list.tsx'
import { useQuestion } from './use-question.ts'
import { useQuery } from '@tanstack/react-query'
import type { LandedTable } from '../../../server/wire/sync.ts'
import { ask } from '../../api/ask.ts'
import './query.css'

/** Kept while the tab lives: looking at a stream and coming back loses no question. */
let lastTyped = ''

/** For other parts of the page that have a question. */
export type QueryHandle = { ask(sql: string): void }

export function QueryPanel({ ref, connector }: { readonly ref: Ref<QueryHandle>; readonly connector: string }) {
  const id = useId()
  const tables = useTables()
  const [sql, setSql] = useState(lastTyped)
  const { question, put, cancel } = useQuestion()
  const first = tables?.find(({ schema }) => schema === connector) ?? tables?.[0]

  function type(text: string): void {
    lastTyped = text
    setSql(text)
  }
  const asking = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => ({
    ask(text) {
      type(text)
      void put(text)
      asking.current?.scrollIntoView({ block: 'center' })
      asking.current?.focus({ preventScroll: true })
    },
  }))
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (!event.repeat) void put(sql)
  }

  return (
    <section className="query" aria-labelledby={`${id}-title`}>
      <header className="lead-in">
        <h2 id={`${id}-title`}>Query</h2>
        <p>Queries the tables in the database of this server. It changes nothing.</p>
      </header>
      <div className="query-parts">
        <TableList
          connector={connector}
          tables={tables}
          onChoose={(table) => {
            const text = firstRowsOf(table)
            type(text)
            void put(text)
          }}
        />
        <div className="question">
          <label htmlFor={id}>SQL</label>
          <textarea
            id={id}
            ref={asking}
            className="input mono"
            rows={4}
            spellCheck={false}
            autoCapitalize="off"
            aria-keyshortcuts="Control+Enter Meta+Enter"
            placeholder={first === undefined ? 'select 1' : firstRowsOf(first)}
            value={sql}
            onChange={({ target }) => type(target.value)}
            onKeyDown={onKeyDown}
          />
          <div className="buttons">
            <button
              type="button"
              className="button"
              aria-disabled={sql.trim() === '' || undefined}
              title={`Run the query (${keyLabel('mod+enter')})`}
              onClick={() => void put(sql)}
            >
              Run query
            </button>
            <button type="button" className="button" disabled={question.status !== 'asking'} onClick={cancel}>
              Cancel query
            </button>
            <kbd>{keyLabel('mod+enter')}</kbd>
          </div>
          <ResultView question={question} />
        </div>
      </div>
    </section>
  )
}

function useTables(): readonly LandedTable[] | undefined {
  const { data } = useQuery({
    queryKey: ['tables'],
    queryFn: () => ask<{ tables: readonly LandedTable[] }>('GET', '/v1/tables'),
  })
  return data?.tables
}
