/** The streams: which to sync, how far each is, and at the end its receipt. One table, so that nothing moves. */
import { number } from '../../std/text/format-count.ts'
import { useNow } from '../test-reads/use-now.ts'
import { isUnderWay, type StreamStanding, type SyncState } from './sync-state.ts'
import { sayVerdict } from '../../proof/verdict/verdict-name.ts'
import { leftWords, rateWords, readingWords, shareRead, stopWords, tookWords } from './sync-words.ts'

export function StreamTable({
  names,
  sync,
  leftOut,
  onChoose,
}: {
  readonly names: readonly string[]
  readonly sync: SyncState | null
  readonly leftOut: ReadonlySet<string>
  readonly onChoose: (leftOut: ReadonlySet<string>) => void
}) {
  const isBusy = sync !== null && isUnderWay(sync)
  const now = useNow(isBusy)
  if (names.length === 0) return <p className="no-streams">There is no stream yet. Add one to sync it.</p>
  const chosen = names.filter((name) => !leftOut.has(name)).length
  function choose(name: string, isChosen: boolean): void {
    onChoose(new Set(isChosen ? [...leftOut].filter((one) => one !== name) : [...leftOut, name]))
  }
  return (
    <table className="stream-table">
      <thead>
        <tr>
          <th scope="col">
            <label className="choice">
              <input
                type="checkbox"
                aria-label="All streams"
                checked={chosen === names.length}
                ref={(box) => {
                  if (box !== null) box.indeterminate = chosen > 0 && chosen < names.length
                }}
                onChange={({ target }) => onChoose(new Set(target.checked ? [] : names))}
              />
              Stream
            </label>
          </th>
          <th scope="col" className="figure">
            Records
          </th>
          <th scope="col" className="figure">
            Pages
          </th>
          <th scope="col" className="figure">
            Rate
          </th>
          <th scope="col" className="stopped">
            Stopped at
          </th>
          <th scope="col">Verdict</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <StreamRow
            key={name}
            name={name}
            stream={sync?.streams.get(name)}
            isBusy={isBusy}
            now={now}
            isChosen={!leftOut.has(name)}
            onChoose={(isChosen) => choose(name, isChosen)}
          />
        ))}
      </tbody>
    </table>
  )
}

function StreamRow({
  name,
  stream,
  isBusy,
  now,
  isChosen,
  onChoose,
}: {
  readonly name: string
  readonly stream: StreamStanding | undefined
  readonly isBusy: boolean
  readonly now: number
  readonly isChosen: boolean
  readonly onChoose: (isChosen: boolean) => void
}) {
  const isKnown = stream?.isBegun === true
  return (
    <tr data-reading={(isBusy && isKnown && stream.receipt === null) || undefined}>
      <th scope="row">
        <label className="choice">
          <input type="checkbox" checked={isChosen} onChange={({ target }) => onChoose(target.checked)} />
          {name}
        </label>
      </th>
      <td className="figure" data-unit={stream?.records === 1 ? 'record' : 'records'}>
        {isKnown && number(stream.records)}
      </td>
      <td className="figure" data-unit={stream?.pages === 1 ? 'page' : 'pages'}>
        {isKnown && number(stream.pages)}
      </td>
      <td className="figure rate">{isKnown && (isBusy || stream.receipt !== null) && rateWords(stream, now)}</td>
      <Standing stream={stream} isBusy={isBusy} now={now} />
    </tr>
  )
}

function Standing({ stream, isBusy, now }: { stream: StreamStanding | undefined; isBusy: boolean; now: number }) {
  const receipt = stream?.receipt ?? null
  if (receipt !== null) {
    return (
      <>
        <td className="stop" data-ending={receipt.ending} title={`took ${tookWords(receipt)}`}>
          {stopWords(receipt)}
        </td>
        <td className="verdict" data-verdict={receipt.ending === 'failed' ? 'incomplete' : receipt.verdict}>
          {sayVerdict(receipt)}
        </td>
      </>
    )
  }
  const share = stream === undefined ? null : shareRead(stream)
  return (
    <td className="standing" colSpan={2}>
      {stream !== undefined && (
        <span className="bar-and-words">
          {share !== null && <progress aria-label={`Read of ${stream.name}`} value={share} />}
          <span>{isBusy ? readingWords(stream, now) : leftWords(stream)}</span>
        </span>
      )}
    </td>
  )
}
