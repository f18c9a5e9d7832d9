/** What the addresses of all streams begin with. */
import { SettingsPlaceholder } from './settings-placeholder.tsx'

export function BaseUrlPage() {
  return <SettingsPlaceholder title="Base URL" help="What the addresses of all streams begin with." />
}
