/** A manifest that exists: chosen, dropped or pasted. */
import { useEffect, useId, useRef, useState } from 'react'
import { NameField } from './name-field.tsx'
import { isConnectorName, nameFromFile, nearestName } from './connector-names.ts'
import { focusFirst } from './scratch-way.tsx'
import { useCreating } from './use-creating.ts'

/** The server takes no more either. */
const mostBytes = 16 * 1024 * 1024

export function ImportWay() {
  const id = useId()
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const { create, isBusy, trouble } = useCreating()

  async function take(file: File | undefined): Promise<void> {
    if (file === undefined) return
    if (file.size > mostBytes) return setRefusal(`${file.name} is larger than 16 MB.`)
    setRefusal(null)
    setText(await file.text())
    setName(nameFromFile(file.webkitRelativePath === '' ? file.name : file.webkitRelativePath))
  }

  const isOver = useDroppedFile((file) => void take(file))
  const isReady = text.trim() !== '' && isConnectorName(name)
  return (
    <form
      className="way-form appears"
      data-over={isOver || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) create(name, text)
      }}
    >
      <div className="field wide">
        <label htmlFor={id}>Manifest</label>
        <textarea
          id={id}
          ref={focusFirst}
          className="input mono"
          rows={8}
          placeholder="Paste it here, or drop the file anywhere on this page."
          value={text}
          spellCheck={false}
          aria-describedby={`${id}-help`}
          onChange={({ target }) => {
            setText(target.value)
            if (name === '') setName(nearestName(titleIn(target.value), ''))
          }}
        />
        <p className="help" id={`${id}-help`}>
          It is saved as it is, comments included. Problems are shown in the editor.
        </p>
      </div>
      <label className="button file">
        Choose a file
        <input
          type="file"
          className="hidden"
          accept=".yaml,.yml,.json,text/yaml,application/json"
          onChange={({ target }) => void take(target.files?.[0])}
        />
      </label>
      <NameField name={name} onName={setName} />
      {(refusal ?? trouble) !== null && <p role="alert">{refusal ?? trouble}</p>}
      <button type="submit" className="button main" disabled={!isReady || isBusy}>
        Import
      </button>
    </form>
  )
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
