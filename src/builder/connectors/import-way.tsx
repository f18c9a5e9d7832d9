/** A manifest or a description of an API: chosen, dropped or pasted. */
import { useEffect, useId, useRef, useState } from 'react'
import type { ImportResult } from '../../server/wire/import.ts'
import { count } from '../../std/text/format-count.ts'
import { withConfirmed } from './confirm/apply-confirmed.ts'
import { useConfirming } from './confirm/use-confirming.ts'
import { DescribedStreams } from './described-streams.tsx'
import { NameField } from './name-field.tsx'
import { isConnectorName, nameFromFile, nearestName } from './connector-names.ts'
import { focusFirst } from './scratch-way.tsx'
import { useCreating } from './use-creating.ts'
import { useDescription } from './use-description.ts'

/** The server takes no more either. */
const mostBytes = 16 * 1024 * 1024

export function ImportWay() {
  const id = useId()
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const { create, isBusy, trouble } = useCreating()
  const description = useDescription()
  const { described } = description
  const confirming = useConfirming((only) => description.writeOnly(text, only))
  const forget = () => {
    description.forget()
    confirming.forget()
  }

  async function take(file: File | undefined): Promise<void> {
    if (file === undefined) return
    if (file.size > mostBytes) return setRefusal(`${file.name} is larger than 16 MB.`)
    setRefusal(null)
    forget()
    setText(await file.text())
    setName(nameFromFile(file.webkitRelativePath === '' ? file.name : file.webkitRelativePath))
  }

  async function submit(): Promise<void> {
    if (isManifest(text)) return create(name, text)
    if (described === null) {
      const found = await description.list(text)
      if (found !== null) setName(nearestName(found.name))
      return
    }
    const manifest = await description.write(text)
    if (manifest !== null) create(name, withConfirmed(manifest, confirming.confirmed), confirming.config)
  }

  const isOver = useDroppedFile((file) => void take(file))
  const isListing = text.trim() !== '' && !isManifest(text) && described === null
  const isReady =
    isListing || (text.trim() !== '' && isConnectorName(name) && (described === null || description.chosen.size > 0))
  const said = refusal ?? description.trouble ?? trouble
  return (
    <form
      className="way-form appears"
      data-over={isOver || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) void submit()
      }}
    >
      <div className="field wide">
        <label htmlFor={id}>Manifest or description</label>
        <textarea
          id={id}
          ref={focusFirst}
          className="input mono"
          rows={described === null ? 8 : 3}
          placeholder={
            'Paste it here, or drop the file anywhere on this page.\nOr the URL of an OpenAPI document, a Postman collection or a HAR file.'
          }
          value={text}
          spellCheck={false}
          aria-describedby={`${id}-help`}
          onChange={({ target }) => {
            setText(target.value)
            forget()
            if (name === '') setName(nearestName(titleIn(target.value), ''))
          }}
        />
        <p className="help" id={`${id}-help`}>
          A manifest is saved as it is, comments included. Of an OpenAPI document, a Postman collection or a HAR file
          you choose the streams; its secrets become inputs.
        </p>
      </div>
      <label className="button file">
        Choose a file
        <input
          type="file"
          className="hidden"
          accept=".yaml,.yml,.json,.har,text/yaml,application/json"
          onChange={({ target }) => void take(target.files?.[0])}
        />
      </label>
      {!isListing && <NameField name={name} onName={setName} />}
      {described !== null && (
        <DescribedStreams
          described={described}
          chosen={description.chosen}
          onChosen={description.choose}
          confirming={confirming}
        />
      )}
      {said !== null && <p role="alert">{said}</p>}
      <button type="submit" className="button main" disabled={!isReady || isBusy || description.isBusy}>
        {isListing
          ? description.isBusy
            ? 'Reading it…'
            : 'Show its streams'
          : importLabel(described, description.chosen)}
      </button>
    </form>
  )
}

function importLabel(described: ImportResult | null, chosen: ReadonlySet<string>): string {
  return described === null ? 'Import' : `Import ${count(chosen.size, 'stream')}`
}

/** What is none is described by something else, or is refused with the reason. */
function isManifest(text: string): boolean {
  return /DeclarativeSource|^\s*["']?streams["']?\s*:/m.test(text)
}

/** What the manifest says of itself, looked for without reading all of it. */
function titleIn(text: string): string {
  const address = /^\s*url_base:\s*["']?https?:\/\/(?:api\.|www\.)?([\w-]+)/m.exec(text)?.[1]
  return address ?? ''
}

/** @returns whether something is being dragged over the page. */
function useDroppedFile(take: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(take)
  useEffect(() => {
    latest.current = take
  })
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      // Leaving one element for another of the page is no leaving.
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      const file = event.dataTransfer?.files[0]
      if (file !== undefined) latest.current(file)
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}
