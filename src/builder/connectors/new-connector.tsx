/** Five ways to a connector: the sample, a description, a cURL command, a public one, an empty page. Each opens in place. */
import { useState } from 'react'
import { ask, AskError } from '../api/ask.ts'
import { listConnectors, openConnector } from '../api/connectors.ts'
import { Icon, type IconName } from '../icons.tsx'
import { lazyPart } from '../lazy-part.tsx'
import { goTo } from '../router.ts'
import { createAndOpen } from './actions.ts'
import './new-connector.css'
import { ScratchWay } from './scratch-way.tsx'

// They read and write manifests, which the list does not.
const CurlWay = lazyPart(() => import('./curl-way.tsx').then((loaded) => loaded.CurlWay))
const ImportWay = lazyPart(() => import('./import-way.tsx').then((loaded) => loaded.ImportWay))
const PublicWay = lazyPart(() => import('./public-way.tsx').then((loaded) => loaded.PublicWay))

type Way = 'import' | 'curl' | 'public' | 'scratch'

const ways: readonly { way: Way; icon: IconName; label: string; help: string }[] = [
  { way: 'import', icon: 'file', label: 'Import a file', help: 'OpenAPI, Postman, HAR or a manifest; or its URL.' },
  { way: 'curl', icon: 'terminal', label: 'Paste a cURL', help: 'From the browser or the API’s documentation.' },
  { way: 'public', icon: 'search', label: 'Public connectors', help: 'Search a collection, and start from one.' },
  { way: 'scratch', icon: 'plus', label: 'Start from scratch', help: 'A name and a base URL are enough.' },
]

/** @param dropped the file that was last dropped on the page: it opens the import */
export function NewConnectorForm({ dropped }: { dropped: File | null }) {
  const [open, setOpen] = useState<Way | null>(null)
  const [seen, setSeen] = useState<File | null>(null)
  if (dropped !== seen) {
    setSeen(dropped)
    if (dropped !== null) setOpen('import')
  }
  return (
    <section className="new-connector appears" aria-label="New connector">
      <div className="ways">
        <SampleWay />
        {ways.map(({ way, icon, label, help }) => (
          <button
            key={way}
            type="button"
            className="way"
            aria-expanded={way === open}
            onClick={() => setOpen(way === open ? null : way)}
          >
            <Icon name={icon} />
            <b>{label}</b>
            <span>{help}</span>
          </button>
        ))}
      </div>
      {open === 'import' && <ImportWay dropped={dropped} />}
      {open === 'curl' && <CurlWay />}
      {open === 'public' && <PublicWay />}
      {open === 'scratch' && <ScratchWay />}
    </section>
  )
}

async function isThere(name: string, text: string): Promise<boolean> {
  const { connectors } = await listConnectors()
  return connectors.some((one) => one.name === name) && (await openConnector(name)).text === text
}

type Sample = { readonly name: string; readonly text: string }

function SampleWay() {
  const [state, setState] = useState<'idle' | 'opening' | { readonly trouble: string }>('idle')
  async function open(): Promise<void> {
    setState('opening')
    try {
      const { name, text } = await ask<Sample>('GET', '/v1/sample')
      // A sample that was edited stays as it is, and a new one is created next to it.
      if (await isThere(name, text)) goTo({ connector: name, part: null, view: 'form' })
      else await createAndOpen(name, text)
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      setState({ trouble: error.message })
    }
  }
  return (
    <button type="button" className="way first" disabled={state === 'opening'} onClick={() => void open()}>
      <Icon name="leaf" />
      <b>Try the sample API</b>
      {typeof state === 'object' ? (
        <span role="alert">{state.trouble}</span>
      ) : (
        <span>Four pagination methods on this machine. Works offline.</span>
      )}
    </button>
  )
}
