/** Public connectors, searched in the collection that the server was started with, and copied to start from. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { FoundConnectors } from '../../server/wire/collection.ts'
import type { SavedConnector } from '../../server/wire/connector.ts'
import { count } from '../../std/text/format-count.ts'
import { ask, AskError } from '../api/ask.ts'
import { listConnectors } from '../api/connectors.ts'
import { goTo } from '../router.ts'
import { useRested } from '../use-debounced.ts'
import { refreshList } from './actions.ts'
import { freeName, nearestName } from './connector-names.ts'
import './public-way.css'
import { focusFirst } from './scratch-way.tsx'

const restMs = 150

export function PublicWay() {
  const id = useId()
  const [wanted, setWanted] = useState('')
  const search = useRested(wanted.trim(), restMs)
  const { data, error } = useQuery({
    queryKey: ['collection', search],
    queryFn: ({ signal }) =>
      ask<FoundConnectors>('GET', `/v1/collection?search=${encodeURIComponent(search)}`, { signal }),
    placeholderData: keepPreviousData,
  })
  if (data?.from === null) return <NoCollection />
  return (
    <div className="way-form public-way appears">
      <div className="field wide">
        <label htmlFor={id}>Name or title</label>
        <input
          id={id}
          ref={focusFirst}
          className="input"
          type="search"
          placeholder="stripe"
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
        />
      </div>
      {data === undefined && error === null && (
        <p className="wide" role="status">
          Opening the collection. A repository is fetched with git first, which can take minutes.
        </p>
      )}
      {error !== null && (
        <p role="alert">
          {error.message} {error instanceof AskError ? error.problem?.hint : ''}
        </p>
      )}
      {data !== undefined && <Found {...data} />}
    </div>
  )
}

function Found({ from, total, matching, connectors }: FoundConnectors) {
  const [copying, setCopying] = useState<string | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)

  async function copy(of: string): Promise<void> {
    setCopying(of)
    setTrouble(null)
    try {
      const { connectors: own } = await listConnectors()
      const wished = freeName(
        nearestName(of),
        own.map((one) => one.name),
      )
      const { name } = await ask<SavedConnector>('POST', '/v1/collection/copies', { body: { of, name: wished } })
      refreshList()
      goTo({ connector: name, part: null, view: 'form' })
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      setTrouble(`${error.message} ${error.problem?.hint ?? ''}`.trim())
      setCopying(null)
    }
  }

  return (
    <>
      <p className="help wide" role="status">
        {matching === 0 ? 'None' : matching} of {count(total, 'connector')} in {from}
        {connectors.length < matching ? `; the first ${connectors.length} are shown` : ''}.
      </p>
      {trouble !== null && <p role="alert">{trouble}</p>}
      <ul className="wide" aria-label="Public connectors">
        {connectors.map(({ name, title, licence }) => (
          <li key={name}>
            <b>{title}</b>
            <span className="mono">{name}</span>
            <span className="licence">{licence ?? 'no licence found'}</span>
            <button type="button" className="button small" disabled={copying !== null} onClick={() => void copy(name)}>
              {copying === name ? 'Copying…' : 'Start'}
              <span className="hidden"> from {title}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

function NoCollection() {
  return (
    <div className="way-form public-way appears" role="note">
      <div className="wide none">
        <p>
          <b>No collection of connectors is configured.</b> Start the server with a folder of manifests, or with a git
          repository of them:
        </p>
        <pre className="mono">npx turnleaf serve --collection https://github.com/airbytehq/airbyte</pre>
        <p>
          <code>TURNLEAF_COLLECTION</code> does the same. This package contains none: they have their own licences and
          owners. <a href="/docs/connectors">Docs</a>
        </p>
      </div>
    </div>
  )
}
