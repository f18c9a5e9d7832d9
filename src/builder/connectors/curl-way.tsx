/** A cURL command → a connector: what it will request, which secrets became inputs, and what to check. */
import { useId, useMemo, useState } from 'react'
import { type CurlConnector, fromCurl } from './curl/from-curl.ts'
import { NameField } from './name-field.tsx'
import { isConnectorName } from './connector-names.ts'
import { focusFirst } from './scratch-way.tsx'
import { useCreating } from './use-creating.ts'

export function CurlWay() {
  const id = useId()
  const [command, setCommand] = useState('')
  const [given, setGiven] = useState<string | null>(null)
  const { create, isBusy, trouble } = useCreating()
  const isEmpty = command.trim() === ''
  const { connector, problem } = useMemo(() => fromCurl(command), [command])
  const name = given ?? connector?.name ?? ''
  return (
    <form
      className="way-form appears"
      onSubmit={(event) => {
        event.preventDefault()
        if (connector !== null && isConnectorName(name)) create(name, connector.text, connector.values)
      }}
    >
      <div className="field wide">
        <label htmlFor={id}>cURL command</label>
        <textarea
          id={id}
          ref={focusFirst}
          className="input mono"
          rows={6}
          placeholder={"curl 'https://api.example.com/v1/orders?limit=100' \\\n  -H 'Authorization: Bearer …'"}
          value={command}
          spellCheck={false}
          autoComplete="off"
          aria-describedby={`${id}-help`}
          aria-invalid={(!isEmpty && problem !== null) || undefined}
          onChange={({ target }) => setCommand(target.value)}
        />
        <p className="help" id={`${id}-help`}>
          Secrets become inputs: the user enters them when the connector runs, and they are never written into it.
        </p>
      </div>
      <div className="found" aria-live="polite">
        {!isEmpty && problem !== null && <p className="wrong">{problem}</p>}
        {connector !== null && <Found {...connector} />}
      </div>
      <NameField name={name} onName={setGiven} />
      {trouble !== null && <p role="alert">{trouble}</p>}
      <button type="submit" className="button main" disabled={connector === null || !isConnectorName(name) || isBusy}>
        Create
      </button>
    </form>
  )
}

function Found({ method, baseUrl, path, inputs, notes }: CurlConnector) {
  return (
    <dl>
      <dt>Base URL</dt>
      <dd className="mono">{baseUrl}</dd>
      <dt>Request</dt>
      <dd className="mono">
        {method} {path}
      </dd>
      <dt>Secrets</dt>
      <dd>{inputs.length === 0 ? 'none found' : `taken out: ${inputs.join(', ')}`}</dd>
      {notes.map((note) => (
        <dd className="note" key={note}>
          {note}
        </dd>
      ))}
    </dl>
  )
}
