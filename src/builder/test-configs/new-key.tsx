/** What will open a new store: a passphrase, or the keychain of the system. */
import { useId } from 'react'
import type { KeyToCreate } from '../api/test-configs.ts'
import { SecretInput } from '../settings/inputs/secret-input.tsx'

export type ChosenKey = { readonly isKeychain: boolean; readonly passphrase: string; readonly again: string }

export const emptyKey: ChosenKey = { isKeychain: false, passphrase: '', again: '' }

const shortest = 8

export function isKeyReady({ isKeychain, passphrase, again }: ChosenKey): boolean {
  return isKeychain || (passphrase.length >= shortest && passphrase === again)
}

export function keyToCreate({ isKeychain, passphrase }: ChosenKey): KeyToCreate {
  return isKeychain ? { kind: 'keychain' } : { kind: 'passphrase', passphrase }
}

type NewKeyProps = {
  readonly chosen: ChosenKey
  readonly hasKeychain: boolean
  readonly onChange: (chosen: ChosenKey) => void
}

export function NewKey({ chosen, hasKeychain, onChange }: NewKeyProps) {
  const id = useId()
  const { isKeychain, passphrase, again } = chosen
  return (
    <>
      {hasKeychain && (
        <fieldset className="key-kind">
          <legend>What opens the file</legend>
          <label>
            <input
              type="radio"
              name={`${id}-kind`}
              checked={!isKeychain}
              onChange={() => onChange({ ...chosen, isKeychain: false })}
            />{' '}
            A passphrase
          </label>
          <label>
            <input
              type="radio"
              name={`${id}-kind`}
              checked={isKeychain}
              onChange={() => onChange({ ...chosen, isKeychain: true })}
            />{' '}
            The keychain of this system
          </label>
        </fieldset>
      )}
      {!isKeychain && (
        <>
          <div className="field">
            <label htmlFor={id}>Passphrase</label>
            <SecretInput
              id={id}
              aria-describedby={`${id}-help`}
              what="passphrase"
              value={passphrase}
              onValue={(typed) => onChange({ ...chosen, passphrase: typed })}
            />
            <p className="help" id={`${id}-help`}>
              At least {shortest} characters. It is stored nowhere: without it, the values cannot be read again.
            </p>
          </div>
          <div className="field">
            <label htmlFor={`${id}-again`}>Passphrase again</label>
            <SecretInput
              id={`${id}-again`}
              what="passphrase again"
              value={again}
              onValue={(typed) => onChange({ ...chosen, again: typed })}
            />
            {again.length >= passphrase.length && again !== passphrase && (
              <p className="value-fault">The two differ.</p>
            )}
          </div>
        </>
      )}
    </>
  )
}
