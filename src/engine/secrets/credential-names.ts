/** Names of headers, parameters and config values that carry credentials, whatever their value, and what is shown instead. */

/** Shown in place of a secret. */
export const mask = '****'

/** Credentials by their whole name only: `first_pass` and `term_session` are none. */
const wholeNames = /^(set-cookie2?|cookie2|pass|bearer|session|sid|sessionid|x-session-id|accesskeyid)$/i

/** `api_key`, `X-Vault-Token`, `clientSecret`, `X-Auth`, `app_id` … */
const endings =
  /(^|[-_.])(authorization|auth|key|token|secret|password|passwd|pwd|passcode|passphrase|credentials?|signature|sig|jwt|cookie|app[-_]?id)$/i

/** The same without a separator: `hapikey`, `usertoken` … */
const joinedEndings =
  /(api|app|user|access|auth|client|private|secret|session|refresh)(key|token|secret|password|signature|sig|jwt)$/i

/** Words that end alike and are no secret: where a page or a sync begins, by what it is sorted, what a thing is called. */
const harmless =
  /(^|[-_.])(sort|primary|partition|order|group|foreign|page|pagination|paging|cursor|next|previous|before|continuation|continue|start|starting|resume|after|last|scroll|sync|delta|offset|skip|bookmark|watermark|checkpoint|position|change|history|cache|idempotency|dedup|unique|natural|composite|replication|project|issue|space|board|table|column|field|object|record|row|event|metric|attribute|grouping)[-_]?(key|token)$/i

/** Parameters that make an address a credential, as the big storage services name them. */
const signatures =
  /^(x-(amz|goog|ms)-(signature|security-token|credential)|signature|sig|awsaccesskeyid|googleaccessid)$/i

/** Names of the caller: they open nothing and may be shown, but differ from user to user. */
const callers = /(^|[-_.])(client[-_]?id|session|sid)$/i

/** Whether a value of this name is a secret: it is masked, sent to its own origin only, and made an input of a manifest. */
export function isCredentialName(name: string): boolean {
  const words = separated(name)
  if (wholeNames.test(name)) return true
  return (endings.test(words) || joinedEndings.test(name)) && !harmless.test(words) && !harmless.test(name)
}

/** Whether a parameter of this name signs its address: who has the address needs nothing else. */
export function isSignatureName(name: string): boolean {
  return signatures.test(name)
}

/** Whether a value of this name belongs to one user, so that a manifest for all has an input in its place. */
export function isInputName(name: string): boolean {
  return isCredentialName(name) || callers.test(separated(name))
}

/** `accessToken` and `auth[token]` as `access_Token` and `auth_token`. */
function separated(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[[\]]+/g, '_')
    .replace(/_+$/, '')
}
