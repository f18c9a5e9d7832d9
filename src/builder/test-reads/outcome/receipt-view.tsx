/** What the read proves about its own completeness: a verdict, what it rests on, and the same slice by slice. */
import { count, number } from '../../../std/text/format-count.ts'
import type { TestReceipt, WireSliceReceipt } from '../../../server/wire/receipt.ts'
import { Icon } from '../../icons.tsx'
import { duration } from '../../durations.ts'
import type { ReadSlice, ReadState } from '../read-state.ts'
import { verdictMeanings, verdictNames } from './verdict-words.ts'
import { type ReactNode, useMemo } from 'react'
import { columnsOf } from '../records/record-columns.ts'
import { RowGrid } from '../records/row-grid.tsx'
import { sliceRows } from './slice-rows.ts'
import './outcome.css'

export function ReceiptView({ read }: { read: ReadState }) {
  const { end, status } = read
  if (end === null || end.receipt === null) {
    return (
      <p className="quiet-words">
        {status === 'reading'
          ? 'The receipt is written when the test ends.'
          : 'A test that did not end has no receipt.'}
      </p>
    )
  }
  const { receipt } = end
  return (
    <section className="receipt" aria-label="Receipt">
      <Verdict receipt={receipt} ending={read.ending} />
      <dl className="figures">
        <Figure name="Pages" value={number(end.pages)} />
        {read.slices.length > 1 && <Figure name="Slices" value={number(read.slices.length)} />}
        <Figure name="Records received" value={number(end.received)} />
        <Figure name="Records kept" value={number(end.emitted)} />
        {receipt.keys !== null && <Figure name="Unique keys" value={number(receipt.keys.unique)} />}
        {receipt.keys !== null && <Figure name="Repeated keys" value={number(receipt.keys.repeated)} />}
        <Figure name="Took" value={duration(read.at)} />
      </dl>
      <Stopped read={read} />
      <ClaimsView claimed={receipt.claimed} />
      <RepeatedKeys keys={receipt.keys} />
      {read.slices.length > 1 && <SlicesTable receipts={receipt.ofSlices} slices={read.slices} />}
    </section>
  )
}

function Verdict({ receipt: { verdict, reason, at }, ending }: { receipt: TestReceipt; ending: ReadState['ending'] }) {
  return (
    <div className="verdict" data-verdict={verdict ?? 'none'}>
      <Icon name={verdict === 'complete' ? 'check' : 'warning'} />
      <div className="words">
        <p>
          <b>{verdict === null ? 'No verdict' : verdictNames[verdict]}:</b>{' '}
          {verdict === null ? noVerdictWords(ending) : verdictMeanings[verdict]}
        </p>
        {reason !== null && (
          <p className="evidence">
            Evidence: <b>{reason}</b>
            {at !== undefined && (
              <>
                {' '}
                at <code>{at}</code>
              </>
            )}
          </p>
        )}
      </div>
    </div>
  )
}

function noVerdictWords(ending: ReadState['ending']): string {
  if (ending === 'limit') return 'the test stopped at its limit, before the end of the stream.'
  return ending === 'cancelled' ? 'the test was cancelled.' : 'the test did not reach the end of the stream.'
}

/** Of a stream in several slices, the table below says it for each. */
function Stopped({ read: { pages, slices } }: { read: ReadState }) {
  const words = slices.length > 1 ? null : pages.at(-1)?.stopWords
  if (words === undefined || words === null) return null
  return (
    <p className="stopped">
      Stopped after {count(pages.length, 'page')}: {words}
    </p>
  )
}

function RepeatedKeys({ keys }: { keys: TestReceipt['keys'] }) {
  if (keys === null) return <p className="quiet-words">Keys were not compared: the stream names no primary key.</p>
  const { examples, isKey, isExact, changed } = keys
  if (examples.length === 0 && isKey && isExact && changed === 0) return null
  return (
    <section className="repeated-keys" aria-label="Repeated keys">
      <h3>Repeated keys</h3>
      {!isKey && <p>The primary key is not unique, so repeated keys prove nothing.</p>}
      {changed > 0 && <p>{count(changed, 'record')} had changed when the key came again, which is no fault.</p>}
      <ul>
        {examples.map(({ key, page, earlier, isSame }) => (
          <li key={`${key} ${page}`}>
            <code>{key}</code>
            {page === earlier ? ` twice on page ${page}` : ` on page ${earlier} and again on page ${page}`}
            {isSame ? '' : ', with another record'}
          </li>
        ))}
      </ul>
      {!isExact && <p>There are too many keys to count exactly: the figures are estimates.</p>}
    </section>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

const ways = { flag: 'a flag', link: 'a link', token: 'a token' } as const

function ClaimsView({ claimed: { total, pages, more } }: { claimed: TestReceipt['claimed'] }) {
  return (
    <section className="claims" aria-label="What the API says">
      <h3>What the API says</h3>
      {total === null && pages === null && more === null ? (
        <p className="quiet-words">Nothing about how much there is, or whether more follows.</p>
      ) : (
        <ul>
          {total !== null && <Claim at={total.at}>{count(total.value, 'record')} in total</Claim>}
          {pages !== null && <Claim at={pages.at}>{count(pages.value, 'page')} in total</Claim>}
          {more !== null && (
            <Claim at={more.at}>
              {more.value ? 'More follows' : 'No more follows'}, by {ways[more.by]}
            </Claim>
          )}
        </ul>
      )}
    </section>
  )
}

function Claim({ at, children }: { at: string; children: ReactNode }) {
  return (
    <li>
      <span>{children}</span> <code>{at}</code>
    </li>
  )
}

type SlicesTableProps = { readonly receipts: readonly WireSliceReceipt[]; readonly slices: readonly ReadSlice[] }

function SlicesTable({ receipts, slices }: SlicesTableProps) {
  const rows = useMemo(() => sliceRows(receipts, slices), [receipts, slices])
  const columns = useMemo(() => columnsOf(rows), [rows])
  if (rows.length === 0) return <p className="quiet-words">No slice was read to its end.</p>
  return (
    <section className="slice-receipts" aria-label="Slices">
      <h3>Slices, the worst first</h3>
      <RowGrid label="Receipts of slices" columns={columns} rowCount={rows.length} rowAt={(index) => rows[index]} />
    </section>
  )
}
