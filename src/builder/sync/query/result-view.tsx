/** The result as a table, or why there is none. */
import { type CSSProperties, useMemo } from 'react'
import { count } from '../../../std/text/format-count.ts'
import type { QueryAnswer } from '../../../server/wire/sync.ts'
import { CopyButton } from '../../test-reads/copy-button.tsx'
import { duration } from '../../durations.ts'
import { columnsOf } from '../../test-reads/records/record-columns.ts'
import { RowGrid } from '../../test-reads/records/row-grid.tsx'
import { csvOf } from './csv.ts'
import type { SqlQuery } from './use-question.ts'

export function ResultView({ question }: { question: SqlQuery }) {
  return (
    <div className="query-result">
      <p className="found" role="status">
        {question.status === 'asking' && 'Asking'}
        {question.status === 'answered' && foundWords(question.result, question.tookMs)}
      </p>
      {question.status === 'answered' && question.result.rows.length > 0 && <ResultTable result={question.result} />}
      {question.status === 'refused' && (
        <div className="problem-box" role="alert">
          <pre>{question.message}</pre>
          {question.hint !== undefined && <p className="hint">{question.hint}</p>}
        </div>
      )}
    </div>
  )
}

/** Enough to know how wide the columns want to be. */
const measured = 200

function ResultTable({ result }: { result: QueryAnswer }) {
  const rows = useMemo(
    () => result.rows.map((row) => Object.fromEntries(result.columns.map((name, index) => [name, row[index]]))),
    [result],
  )
  const columns = useMemo(() => columnsOf(rows.slice(0, measured), result.columns), [rows, result])
  return (
    <>
      <div className="result-table" style={{ '--rows': rows.length } as CSSProperties}>
        <RowGrid
          // Another result begins at its first cell.
          key={result.columns.join('\n')}
          label="Answer"
          columns={columns}
          rowCount={rows.length}
          rowAt={(index) => rows[index]}
        />
      </div>
      <CopyButton label="Copy as CSV" text={() => csvOf(result)} />
    </>
  )
}

function foundWords({ rows, isCut }: QueryAnswer, tookMs: number): string {
  if (rows.length === 0) return `No rows, ${duration(tookMs)}`
  return isCut
    ? `The first ${count(rows.length, 'row')}; there are more, ${duration(tookMs)}`
    : `${count(rows.length, 'row')}, ${duration(tookMs)}`
}
