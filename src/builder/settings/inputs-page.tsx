/** What is asked of whoever runs the connector. */
import { SettingsPlaceholder } from './settings-placeholder.tsx'

export function InputsPage() {
  return <SettingsPlaceholder title="Inputs" help="What is asked of whoever runs the connector." />
}
