/** The streams of a description, to be ticked. */
import { useId, useState } from 'react'
import type { ImportResult } from '../../server/wire/import.ts'
import { count } from '../../std/text/format-count.ts'
import { Worded } from '../fields/inline-code.tsx'
import { ConfirmCell } from './confirm/confirm-cell.tsx'
import type { Confirming } from './confirm/use-confirming.ts'
import './described-streams.css'

/** Longer lists are not read; the filter finds the others. */
const mostShown = 200

export function DescribedStreams({
  described,
  chosen,
  onChosen,
  confirming,
}: {
  described: ImportResult
  chosen: ReadonlySet<string>
  onChosen: (chosen: ReadonlySet<string>) => void
  confirming: Confirming
}) {
  const id = useId()
  const [filter, setFilter] = useState('')
  const { title, baseUrl, authentication, streams, notes } = described
  const wanted = filter.trim().toLowerCase()
  const matching = streams.filter(({ name, path }) => `${name} ${path}`.toLowerCase().includes(wanted))
  const shown = matching.slice(0, mostShown)
  const tick = (names: readonly string[], isOn: boolean) => {
    const next = new Set(chosen)
    for (const name of names) {
      if (isOn) next.add(name)
      else next.delete(name)
    }
    onChosen(next)
  }
  return (
    <fieldset className="described-streams wide">
      <legend>
        {title}: {count(streams.length, 'stream')}
      </legend>
      <p className="help">
        <span className="mono">{baseUrl}</span> · Authentication: {authentication}. Pagination is proposed from the
        description; <b>Confirm</b> asks the API and writes what it shows.
      </p>
      {confirming.needed.length > 0 && (
        <div className="inputs" role="group" aria-label="Inputs to ask the API with">
          {confirming.needed.map(({ name, title: label, isSecret }) => (
            <label key={name}>
              {label}
              <input
                className="input mono"
                type={isSecret ? 'password' : 'text'}
                autoComplete="off"
                value={confirming.values[name] ?? ''}
                onChange={({ target }) => confirming.setValue(name, target.value)}
              />
            </label>
          ))}
          <p className="help">Kept in the memory of this tab, and not in the manifest.</p>
        </div>
      )}
      <div className="tools">
        <input
          className="input"
          type="search"
          aria-label="Filter streams"
          placeholder="Filter"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
        {[true, false].map((isOn) => (
          <button
            key={String(isOn)}
            type="button"
            className="button small"
            onClick={() =>
              tick(
                matching.map(({ name }) => name),
                isOn,
              )
            }
          >
            {isOn ? 'Tick' : 'Untick'} {wanted === '' ? 'all' : 'these'}
          </button>
        ))}
      </div>
      <ul>
        {shown.map(({ name, method, path, pagination, parent }, index) => (
          <li key={name}>
            <input
              id={`${id}-${index}`}
              type="checkbox"
              checked={chosen.has(name)}
              onChange={({ target }) => tick([name], target.checked)}
            />
            <label htmlFor={`${id}-${index}`}>{name}</label>
            <span className="mono">
              {method} {path}
            </span>
            <ConfirmCell
              stream={name}
              proposed={parent === null ? pagination : `${pagination}; for each record of ${parent}`}
              state={confirming.states.get(name)}
              onConfirm={() => void confirming.confirm(name)}
            />
          </li>
        ))}
      </ul>
      {shown.length < matching.length && (
        <p className="help">{count(matching.length - shown.length, 'more stream')}: filter to see them.</p>
      )}
      {matching.length === 0 && <p className="help">No stream matches.</p>}
      {notes.length > 0 && (
        <ul className="notes" aria-label="Notes">
          {notes.map((note) => (
            <li key={note}>
              <Worded text={note} />
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}
