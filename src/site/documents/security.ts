/** Facts → security.txt (RFC 9116). */
import type { SiteFacts } from '../facts.ts'

/** The RFC advises less than a year; a server that runs longer than this without a restart is due for one. */
const validDays = 300

/** Turnleaf runs where somebody starts it, so the way to that somebody is the only contact that is true everywhere. */
export function securityText({ baseUrl }: SiteFacts, now: Date): string {
  const expires = new Date(now.getTime() + validDays * 86_400_000)
  return `# This copy of Turnleaf is run by whoever runs ${baseUrl}. Report a weakness to them.
Contact: ${baseUrl}/
Expires: ${expires.toISOString().replace(/\.\d+Z$/, 'Z')}
Preferred-Languages: en
Canonical: ${baseUrl}/.well-known/security.txt
`
}
