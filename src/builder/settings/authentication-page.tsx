/** How the API knows who asks. */
import { SettingsPlaceholder } from './settings-placeholder.tsx'

export function AuthenticationPage() {
  return <SettingsPlaceholder title="Authentication" help="How the API knows who asks." />
}
