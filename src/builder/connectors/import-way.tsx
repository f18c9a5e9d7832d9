/** A manifest or a description of an API: chosen, dropped or pasted. */
import { useEffect, useEffectEvent, useId, useState } from 'react'
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

/** @param dropped the file that was last dropped on the page */
export function ImportWay({ dropped }: { dropped: File | null }) {
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

  function put(file: File, { text: read, refused }: FileText): void {
    setRefusal(refused)
    if (read === null) return
    forget()
    setText(read)
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

  const putDropped = useEffectEvent(put)
  useEffect(() => {
    if (dropped !== null) void textOf(dropped).then((read) => putDropped(dropped, read))
  }, [dropped])
  const isListing = text.trim() !== '' && !isManifest(text) && described === null
  const isReady =
    isListing || (text.trim() !== '' && isConnectorName(name) && (described === null || description.chosen.size > 0))
  const said = refusal ?? description.trouble ?? trouble
  return (
    <form
      className="way-form appears"
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
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file !== undefined) void textOf(file).then((read) => put(file, read))
          }}
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

type FileText = { readonly text: string | null; readonly refused: string | null }

async function textOf(file: File): Promise<FileText> {
  if (file.size > mostBytes) return { text: null, refused: `${file.name} is larger than 16 MB.` }
  const text = await file.text().catch(() => null)
  return { text, refused: text === null ? `${file.name} cannot be read. Choose one file, not a folder.` : null }
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
