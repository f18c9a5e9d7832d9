/** Connectors, one per row: name, base URL, state, last run. Arrow keys move between rows. */
import { useRef, useState } from 'react'
import type { ConnectorSummary } from '../../server/wire/connector.ts'
import { Icon } from '../icons.tsx'
import { useArrowsIn } from '../keys/use-keys-in.ts'
import { Menu } from '../menu/menu.tsx'
import { routePath, followLink } from '../router.ts'
import { ago, exactly } from '../relative-time.ts'
import { duplicate, remove, rename } from './actions.ts'
import { RenameField } from './rename-field.tsx'
import { LastRun, useLatestRuns } from './last-run.tsx'
import type { LatestRun } from '../../server/wire/run.ts'

export function ConnectorList({ connectors, wanted }: { connectors: readonly ConnectorSummary[]; wanted: string }) {
  const found = connectors.filter((connector) => matches(connector, wanted))
  return (
    <>
      <p className="hidden" role="status">
        {wanted === '' ? '' : found.length === 1 ? '1 connector' : `${found.length} connectors`}
      </p>
      {found.length === 0 ? (
        <p className="waiting">No connector has “{wanted}” in its name, address or streams.</p>
      ) : (
        <Rows connectors={found} />
      )}
    </>
  )
}

function Rows({ connectors }: { connectors: readonly ConnectorSummary[] }) {
  const latest = useLatestRuns()
  const list = useRef<HTMLUListElement>(null)
  useArrowsIn(list, 'a')
  return (
    <ul className="connector-list" ref={list}>
      <li className="headings" aria-hidden="true">
        <span>Name</span>
        <span>Base URL</span>
        <span>Streams</span>
        <span>Problems</span>
        <span>Last run</span>
        <span className="changed">Changed</span>
      </li>
      {connectors.map((connector) => (
        <ConnectorRow key={connector.name} {...connector} latest={latest.get(connector.name)} />
      ))}
    </ul>
  )
}

function ConnectorRow({
  name,
  baseUrl,
  isBaseTemplate,
  streams,
  errors,
  changedAt,
  latest,
}: ConnectorSummary & { readonly latest: LatestRun | undefined }) {
  const [isRenaming, setRenaming] = useState(false)
  const place = { connector: name, part: null, view: 'form' } as const
  if (isRenaming) {
    return (
      <li className="connector">
        <RenameField name={name} onRename={(to) => rename(name, to)} onEnd={() => setRenaming(false)} />
      </li>
    )
  }
  return (
    <li className="connector">
      <a href={routePath(place)} onClick={(event) => followLink(event, place)}>
        <span className="name">{name}</span>
        <span className="base mono">{baseUrl ?? (isBaseTemplate ? 'base URL from inputs' : 'no base URL yet')}</span>
        <span className="streams" title={streams.join(', ')}>
          {streams.length === 1 ? '1 stream' : `${streams.length} streams`}
        </span>
        <span className="state">
          {errors > 0 && (
            <span className="errors">
              <Icon name="warning" />
              {errors === 1 ? '1 problem' : `${errors} problems`}
            </span>
          )}
        </span>
        <LastRun latest={latest} />
        <span className="changed">
          <span className="label">changed </span>
          <time dateTime={changedAt} title={exactly(changedAt)}>
            {ago(changedAt)}
          </time>
        </span>
      </a>
      <Menu
        name={`Actions for ${name}`}
        className="button quiet icon-only"
        face={<Icon name="more" />}
        choices={[
          { label: 'Rename', onChoose: () => setRenaming(true) },
          { label: 'Duplicate', onChoose: () => void duplicate(name) },
          { label: 'Delete', isHarmful: true, onChoose: () => void remove(name) },
        ]}
      />
    </li>
  )
}

function matches({ name, baseUrl, streams }: ConnectorSummary, wanted: string): boolean {
  const words = wanted.toLowerCase().split(/\s+/)
  const text = [name, baseUrl ?? '', ...streams].join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}
