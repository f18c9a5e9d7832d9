/** Names of headers and parameters that carry credentials, whatever their value. */

const wholeNames =
  /^((proxy-)?authorization|(set-)?cookie2?|auth|jwt|pwd|pass|passwd|appid|sessionid|x-session-id|accesskeyid)$/i

/** `api_key`, `X-Vault-Token`, `hapikey`, `clientSecret`, `sig` … */
const endings =
  /(^|[-_]|api|app|user|access|auth|client|private|secret|session|refresh)(key|token|secret|password|signature|sig|jwt)$/i

/** Words that end alike and are no secret: where a page begins, by what it is sorted. */
const harmless = /(^|[-_])(sort|primary|partition|order|group|foreign|page|cursor|next|continuation)[-_]?(key|token)$/i

export function isCredentialName(name: string): boolean {
  return wholeNames.test(name) || (endings.test(name) && !harmless.test(name))
}
