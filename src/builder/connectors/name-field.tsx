/** The name of a connector that is about to be. It also becomes the name of its folder, so not everything goes. */
import { useId } from 'react'
import { isConnectorName, nameAsTyped } from './connector-names.ts'

export function NameField({ name, onName }: { name: string; onName: (name: string) => void }) {
  const id = useId()
  const isWrong = name !== '' && !isConnectorName(name)
  return (
    <div className="field">
      <label htmlFor={id}>Name</label>
      <input
        id={id}
        className="input mono"
        value={name}
        maxLength={63}
        autoComplete="off"
        spellCheck={false}
        aria-describedby={`${id}-help`}
        aria-invalid={isWrong || undefined}
        onChange={({ target }) => onName(nameAsTyped(target.value))}
      />
      <p className={isWrong ? 'help wrong' : 'help'} id={`${id}-help`}>
        Also the name of its folder: lower-case letters, digits, - and _. Spaces become -.
      </p>
    </div>
  )
}
