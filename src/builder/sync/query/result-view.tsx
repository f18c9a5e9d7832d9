/** The answer as a table, or why there is none. */
import { type CSSProperties, useMemo } from 'react'
import { count } from '../../../std/text/format-count.ts'
import type { QueryAnswer } from '../../../server/wire/sync.ts'
import { CopyButton } from '../../test-reads/copy-button.tsx'
import { duration } from '../../test-reads/durations.ts'
import { columnsOf } from '../../test-reads/records/columns.ts'
import { RowGrid } from '../../test-reads/records/row-grid.tsx'
import { csvOf } from './csv.ts'
import type { SqlQuery } from './use-question.ts'

export function ResultView({ question }: { question: SqlQuery }) {
  return (
    <div className="answer">
      <p className="found" role="status">
        {question.status === 'asking' && 'Asking'}
        {question.status === 'answered' && foundWords(question.answer, question.tookMs)}
      </p>
      {question.status === 'answered' && question.answer.rows.length > 0 && <ResultTable answer={question.answer} />}
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

function ResultTable({ answer }: { answer: QueryAnswer }) {
  const rows = useMemo(
    () => answer.rows.map((row) => Object.fromEntries(answer.columns.map((name, index) => [name, row[index]]))),
    [answer],
  )
  const columns = useMemo(() => columnsOf(rows.slice(0, measured), answer.columns), [rows, answer])
  return (
    <>
      <div className="answer-table" style={{ '--rows': rows.length } as CSSProperties}>
        <RowGrid
          // Another answer begins at its first cell.
          key={answer.columns.join('\n')}
          label="Answer"
          columns={columns}
          rowCount={rows.length}
          rowAt={(index) => rows[index]}
        />
      </div>
      <CopyButton label="Copy as CSV" text={() => csvOf(answer)} />
    </>
  )
}

function foundWords({ rows, isCut }: QueryAnswer, tookMs: number): string {
  if (rows.length === 0) return `No rows, ${duration(tookMs)}`
  return isCut
    ? `The first ${count(rows.length, 'row')}; there are more, ${duration(tookMs)}`
    : `${count(rows.length, 'row')}, ${duration(tookMs)}`
}
