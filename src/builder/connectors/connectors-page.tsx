/** The list of connectors; where there is none yet, the ways to a first one. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { listConnectors } from '../api/connectors.ts'
import { Icon, Mark } from '../icons.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { KeysButton } from '../keys/keys-help.tsx'
import { PaletteButton } from '../palette/palette-button.tsx'
import { useCommands } from '../palette/offered.ts'
import { goTo } from '../router.ts'
import { ThemeSwitch } from '../theme/theme-switch.tsx'
import { useTitle } from '../use-title.ts'
import { ConnectorList } from './connector-list.tsx'
import './connectors.css'
import { NewConnectorForm } from './new-connector.tsx'
import { takeHanded, useDroppedFile } from './use-dropped-file.ts'

export function ConnectorsPage() {
  useTitle('Connectors')
  const { data, error, isPending } = useQuery({ queryKey: ['connectors'], queryFn: listConnectors })
  const [dropped, setDropped] = useState(takeHanded)
  const [isAdding, setAdding] = useState(dropped !== null)
  const isOver = useDroppedFile((file) => {
    setDropped(file)
    setAdding(true)
  })
  const [wanted, setWanted] = useState('')
  const search = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => search.current?.focus() })
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const connectors = data?.connectors ?? []
  useCommands(() => [
    {
      id: 'new-connector',
      group: 'Actions',
      label: 'New connector',
      words: 'add create import',
      run: () => setAdding(true),
    },
    ...connectors.map(({ name }) => ({
      id: `connector ${name}`,
      group: 'Connectors',
      label: name,
      run: () => goTo({ connector: name, part: null, view: 'form' }),
    })),
  ])
  const isFirst = data !== undefined && connectors.length === 0

  return (
    <div className="connectors-page">
      <header className="site-header">
        <Mark />
        <span className="product">Turnleaf</span>
        <PaletteButton />
        <KeysButton />
        <ThemeSwitch />
      </header>
      <main id="content" tabIndex={-1}>
        <div className="title">
          <h1 ref={heading} tabIndex={-1}>
            {isFirst ? 'Make a connector' : 'Connectors'}
          </h1>
          {!isFirst && data !== undefined && (
            <>
              <div className="search">
                <Icon name="search" />
                <input
                  ref={search}
                  className="input"
                  type="search"
                  placeholder="Search"
                  aria-label="Search connectors"
                  aria-keyshortcuts="/"
                  value={wanted}
                  onChange={({ target }) => setWanted(target.value)}
                />
                <kbd aria-hidden="true">/</kbd>
              </div>
              <button
                type="button"
                className={isAdding ? 'button' : 'button main'}
                aria-expanded={isAdding}
                onClick={() => {
                  setAdding(!isAdding)
                  setDropped(null)
                }}
              >
                {isAdding ? 'Close' : 'New connector'}
              </button>
            </>
          )}
        </div>
        {isFirst && <p className="lead">Describe an API once, see every page, and store every record.</p>}
        {(isFirst || isAdding) && <NewConnectorForm dropped={dropped} />}
        {isPending && <p className="waiting">Looking for connectors</p>}
        {error !== null && data === undefined && (
          <p className="failure" role="alert">
            {error.message}
          </p>
        )}
        {!isFirst && data !== undefined && <ConnectorList connectors={connectors} wanted={wanted} />}
        {data?.skipped.map(({ folder, reason }) => (
          <p className="skipped" key={folder}>
            <Icon name="warning" /> <b>{folder}</b> {reason}
          </p>
        ))}
      </main>
      {isOver && (
        <p className="drop-here" role="status">
          <span>Drop the file to import it</span>
        </p>
      )}
    </div>
  )
}
