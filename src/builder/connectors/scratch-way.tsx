/** From nothing: a name and a base URL, and the editor opens. */
import { isUrl } from '../../std/text/is-url.ts'
import { useId, useState } from 'react'
import { manifestText } from '../../from-request/manifest-text.ts'
import { NameField } from './name-field.tsx'
import { isConnectorName, nameFromAddress } from './connector-names.ts'
import { useCreating } from './use-creating.ts'

export function ScratchWay() {
  const id = useId()
  const [address, setAddress] = useState('')
  const [given, setGiven] = useState<string | null>(null)
  const { create, isBusy, trouble } = useCreating()
  const name = given ?? (address === '' ? '' : nameFromAddress(address))
  const baseUrl = /^https?:\/\//.test(address) ? address.trim() : `https://${address.trim()}`
  const isReady = isConnectorName(name) && isUrl(baseUrl) && address.trim() !== ''
  return (
    <form
      className="way-form appears"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady) return
        create(name, manifestText({ baseUrl, authenticator: null, stream: null, inputs: [] }))
      }}
    >
      <div className="field">
        <label htmlFor={id}>Base URL</label>
        <input
          id={id}
          // The way was just chosen: this is what comes next.
          ref={focusFirst}
          className="input mono"
          inputMode="url"
          placeholder="https://api.example.com/v1"
          value={address}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${id}-help`}
          onChange={({ target }) => setAddress(target.value)}
        />
        <p className="help" id={`${id}-help`}>
          What the URLs of all streams start with.
        </p>
      </div>
      <NameField name={name} onName={setGiven} />
      {trouble !== null && <p role="alert">{trouble}</p>}
      <button type="submit" className="button main" disabled={!isReady || isBusy}>
        Create
      </button>
    </form>
  )
}

export function focusFirst(control: HTMLInputElement | HTMLTextAreaElement | null): void {
  control?.focus()
}
