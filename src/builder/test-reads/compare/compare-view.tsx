/** The latest test next to an earlier one of the same stream: figures and times, requests, records. */
import { useQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { count, number } from '../../../std/text/format-count.ts'
import type { RecordsComparison } from '../../../server/wire/test-read.ts'
import { ask } from '../../api/ask.ts'
import { ago } from '../../relative-time.ts'
import { leafText } from '../body/json-rows.ts'
import type { ReadState } from '../read-state.ts'
import { figureRows, testDifferences, type TestDifference } from './compare-tests.ts'
import { type ComparedTest, comparedTest, type EarlierTest } from './earlier-tests.ts'
import './compare.css'

export function CompareView({ read, earlier }: { read: ReadState; earlier: readonly EarlierTest[] }) {
  const id = useId()
  const [chosen, choose] = useState<string | null>(null)
  const before = earlier.find((test) => test.id === chosen) ?? earlier[0]
  const now = useMemo(() => comparedTest(read), [read])
  if (before === undefined || now === null) {
    return <p className="quiet-words">Once the test has a page, it is compared with the one before.</p>
  }
  return (
    <section className="compare" aria-label="Compare">
      <label htmlFor={id}>
        <span>Compared with</span>
        <select id={id} className="input" value={before.id} onChange={({ target }) => choose(target.value)}>
          {earlier.map((test, index) => (
            <option key={test.id} value={test.id}>
              {testWords(test, index)}
            </option>
          ))}
        </select>
      </label>
      <Figures before={before} now={now} />
      <Requests differences={testDifferences(before, now)} isCut={read.slices.length > 1} />
      <Records read={read} before={before} />
    </section>
  )
}

function testWords({ begunAt, pages }: EarlierTest, index: number): string {
  const name = index === 0 ? 'The test before' : `${index + 1} tests before`
  return `${name}: ${ago(begunAt)}, ${count(pages.length, 'page')}`
}

function Figures({ before, now }: { before: ComparedTest; now: ComparedTest }) {
  return (
    <table className="compare-figures">
      <caption className="hidden">Figures before and now</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="hidden">Figure</span>
          </th>
          <th scope="col">Before</th>
          <th scope="col">Now</th>
        </tr>
      </thead>
      <tbody>
        {figureRows(before, now).map(({ name, before: was, now: is }) => (
          <tr key={name} data-changed={was !== is || undefined}>
            <th scope="row">{name}</th>
            <td>{was}</td>
            <td>{is}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** More than anyone compares by eye. */
const mostShown = 100

function Requests({ differences, isCut }: { differences: readonly TestDifference[]; isCut: boolean }) {
  return (
    <section aria-label="Differences of requests">
      <h3>Requests</h3>
      {differences.length === 0 ? (
        <p className="quiet-words">Every request is the same.</p>
      ) : (
        <p className="quiet-words">{`${count(differences.length, 'request')} ${differences.length === 1 ? 'differs' : 'differ'}.`}</p>
      )}
      <ul className="differences">
        {differences.slice(0, mostShown).map(({ slice, page, only, changes }) => (
          <li key={`${slice}/${page}`}>
            <b>
              {isCut ? `Slice ${slice + 1}, page` : 'Page'} {page + 1}
              {only !== null && `, only ${only}`}
            </b>
            {changes.map(({ name, was, is }) => (
              <Change key={name} name={name} was={was} is={is} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Change({ name, was, is }: { name: string; was: string | null; is: string | null }) {
  return (
    <p className="change">
      <span className="mono">{name}</span>
      {was !== null && (
        <del className="mono">
          <span className="hidden">was </span>
          {shown(was)}
        </del>
      )}
      {is !== null && (
        <ins className="mono">
          <span className="hidden">is </span>
          {shown(is)}
        </ins>
      )}
    </p>
  )
}

/** More of a value than a line has room for. */
function shown(text: string): string {
  if (text === '') return 'empty'
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

function Records({ read, before }: { read: ReadState; before: EarlierTest }) {
  const { data, error } = useQuery({
    queryKey: ['comparison', read.id, before.id, read.pages.length],
    queryFn: () =>
      ask<RecordsComparison>('GET', `/v1/test-reads/${read.id}/comparison?with=${encodeURIComponent(before.id)}`),
    enabled: read.id !== null && read.status === 'ended',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <section aria-label="Differences of records">
      <h3>Records</h3>
      {error !== null && <p className="quiet-words">{error.message} Test again to compare the records.</p>}
      {data === undefined && error === null && (
        <p className="quiet-words">
          {read.status === 'ended' ? 'Comparing.' : 'The records are compared when the test ends.'}
        </p>
      )}
      {data !== undefined && <RecordChanges compared={data} />}
    </section>
  )
}

function RecordChanges({ compared }: { compared: RecordsComparison }) {
  const { key, same, changed, added, missing, examples } = compared
  const shownCount = examples.length
  const all = changed + added + missing
  return (
    <>
      <p className="quiet-words">
        {`${number(same)} the same, ${number(changed)} changed, ${number(added)} added, ${number(missing)} missing; compared by `}
        {key === null ? 'whole records, since they have no primary key' : key.join(', ')}.
        {shownCount < all && ` The first ${number(shownCount)} are listed.`}
      </p>
      <ul className="differences">
        {examples.map(({ kind, key: name, before, after, fields }, index) => (
          <li key={index} data-kind={kind}>
            <b>
              {kind === 'added' ? 'Added' : kind === 'missing' ? 'Missing' : 'Changed'}
              {name !== null && ` ${name}`}
            </b>
            {kind === 'changed' ? (
              fields.map((field) => (
                <Change key={field} name={field} was={leafText(before?.[field])} is={leafText(after?.[field])} />
              ))
            ) : (
              <p className="change">
                <span className="mono record">{shown(leafText(after ?? before))}</span>
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
