/** How the API knows who asks. */
import { useMemo } from 'react'
import { InYaml } from '../fields/in-yaml.tsx'
import { useSession } from '../session/use-session.tsx'
import { AuthForm } from './authentication/auth-form.tsx'
import './authentication/authentication.css'
import { CheckConnection } from './check-connection.tsx'
import { authenticatorGroups } from './requester-groups.ts'
import { SettingsPage, UsedBy } from './settings-page.tsx'

/** Forms of authentication are long: more of them are a matter for the text. */
const mostShown = 12

export function AuthenticationPage() {
  const root = useSession(({ document }) => document.value)
  const groups = useMemo(() => authenticatorGroups(root), [root])
  return (
    <SettingsPage
      title="Authentication"
      lead="How requests are authenticated. Secrets are inputs, never in the manifest."
    >
      {groups.length === 0 && <p className="none">Set the base URL first: authentication belongs to it.</p>}
      {groups.slice(0, mostShown).map(({ at, streams }) => (
        <section
          className="group"
          key={at.join('/')}
          aria-label={groups.length > 1 ? `Authentication of ${streams[0] ?? at.join(' ')}` : 'Method'}
        >
          {groups.length > 1 && <UsedBy streams={streams} />}
          <AuthForm at={at} />
        </section>
      ))}
      {groups.length > mostShown && <InYaml what={`${groups.length - mostShown} more`} why="are in the manifest." />}
      <CheckConnection />
    </SettingsPage>
  )
}
