/** A value that looks like a secret and is about to be saved with the manifest: warns, and makes it an input on request. */
import { isInputName } from '../../engine/secrets/credential-names.ts'
import { isPlaceholder, isSecretValue } from '../../from-request/secret-words.ts'
import type { Path } from '../../document/value-path.ts'
import { setInput } from '../session/inputs.ts'
import { useField } from '../session/use-field.ts'
import { useSessionStore } from '../session/use-session.tsx'
import { moveToInput } from '../settings/inputs/wished-input.ts'

export function WrittenSecret({ at }: { at: Path }) {
  const store = useSessionStore()
  const { value } = useField(at)
  const name = String(at.at(-1))
  if (typeof value !== 'string' || !at.some(isOfRequest) || !looksSecret(name, value)) return null

  function move(secret: string): void {
    const { name: connector, document } = store.get()
    const moved = moveToInput(document.text, at, inputNameOf(name))
    store.edit(moved.text)
    setInput(connector, moved.name, secret)
  }

  return (
    <p className="written-secret">
      <span>
        <b>Warning</b> This looks like a secret. Everyone who has the manifest can read it.
      </span>
      <button type="button" className="button small" onClick={() => move(value)}>
        Make it an input
      </button>
    </p>
  )
}

/** Only what is sent with a request opens doors. */
function isOfRequest(part: string | number): boolean {
  return typeof part === 'string' && part.startsWith('request_')
}

const shortestSecret = 8

function looksSecret(name: string, value: string): boolean {
  if (value.includes('{{') || value.includes('{%') || isPlaceholder(value)) return false
  return isSecretValue(value) || (isInputName(name) && value.length >= shortestSecret)
}

function inputNameOf(name: string): string {
  const words = name.toLowerCase().replaceAll(/[^a-z\d]+/g, '_')
  return words.replaceAll(/^_+|_+$/g, '') || 'secret'
}
