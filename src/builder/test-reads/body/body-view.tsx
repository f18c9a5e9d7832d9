/** A body: as a tree that folds, or as text; searched with `/`, copied, downloaded. */
import { useId, useMemo, useRef, useState } from 'react'
import { parseJson } from '../../../std/json.ts'
import { Segments } from '../../editor/segments.tsx'
import { CopyButton } from '../copy-button.tsx'
import { BodyText } from './body-text.tsx'
import { JsonTree } from './json-tree.tsx'
import { noSearch, SearchField, useSlashKey } from './search-field.tsx'
import { type TextSource, wholeTextOf } from './text-source.ts'
import './body.css'

export type BodyViewProps = {
  readonly title: string
  /** Of the file it is saved as. */
  readonly name: string
  readonly source: TextSource
  /** All of it, where that is at hand and small enough for a tree. */
  readonly text: string | null
  readonly whyNoTree?: string
}

const views = [
  { name: 'tree', label: 'Tree' },
  { name: 'text', label: 'Text' },
] as const

export function BodyView({ title, name, source, text, whyNoTree = 'Not JSON' }: BodyViewProps) {
  const parsed = useMemo(() => parsedOf(text), [text])
  const [wished, setWished] = useState<'tree' | 'text'>('tree')
  const view = parsed === null ? 'text' : wished
  const [search, setSearch] = useState(noSearch)
  const [found, setFound] = useState('')
  const box = useRef<HTMLElement>(null)
  const id = useId()
  useSlashKey(box)
  return (
    <section ref={box} className="body-view" aria-labelledby={id}>
      <header>
        <h3 id={id}>{title}</h3>
        {parsed === null ? (
          <span className="why-text">{whyNoTree}</span>
        ) : (
          <Segments label={`${title} as`} chosen={view} choices={views} onChoose={setWished} />
        )}
        <SearchField label={`Search the ${title.toLowerCase()}`} search={search} found={found} onSearch={setSearch} />
        <CopyButton label="Copy" text={() => wholeTextOf(source)} />
        <DownloadButton name={parsed === null && text !== null ? `${name}.txt` : `${name}.json`} source={source} />
      </header>
      {parsed !== null && view === 'tree' ? (
        <JsonTree value={parsed.value} label={title} search={search} onFound={setFound} />
      ) : (
        <BodyText source={source} label={title} search={search} onFound={setFound} />
      )}
    </section>
  )
}

/** Null where it is no JSON, or not at hand. */
function parsedOf(text: string | null): { readonly value: unknown } | null {
  if (text === null) return null
  try {
    return { value: parseJson(text).value }
  } catch {
    return null
  }
}

function DownloadButton({ name, source }: { name: string; source: TextSource }) {
  const [state, setState] = useState<'ready' | 'fetching' | 'failed'>('ready')
  async function download(): Promise<void> {
    setState('fetching')
    try {
      save(name, await wholeTextOf(source))
      setState('ready')
    } catch {
      setState('failed')
    }
  }
  return (
    <button type="button" className="button small" disabled={state === 'fetching'} onClick={() => void download()}>
      {state === 'failed' ? 'Could not download' : 'Download'}
    </button>
  )
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
