/** The inputs that the user of the connector must give, and values to test with. */
import { useMemo } from 'react'
import { useSession } from '../session/use-session.tsx'
import { ConfigBar } from '../test-configs/config-bar.tsx'
import { CheckConnection } from './check-connection.tsx'
import { InputCard } from './inputs/input-card.tsx'
import { NewInput } from './inputs/new-input.tsx'
import { inputsIn } from './inputs/spec-inputs.ts'
import { SettingsPage } from './settings-page.tsx'

export function InputsPage() {
  const root = useSession(({ document }) => document.value)
  const inputs = useMemo(() => inputsIn(root), [root])
  return (
    <SettingsPage
      title="Inputs"
      lead="What the user of the connector must enter. Test values are never written to the manifest."
    >
      {inputs.length > 0 && <ConfigBar />}
      {inputs.length === 0 ? (
        <p className="none">No inputs yet. Keys, accounts and start dates are inputs: each run has its own.</p>
      ) : (
        <ul className="input-list">
          {inputs.map((input) => (
            <InputCard key={input.name} input={input} />
          ))}
        </ul>
      )}
      <NewInput />
      <CheckConnection />
    </SettingsPage>
  )
}
