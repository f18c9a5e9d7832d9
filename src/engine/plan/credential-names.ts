/** Names of headers, parameters and config values that carry credentials, whatever their value. */

const wholeNames =
  /^((proxy-)?authorization|(set-)?cookie2?|auth|jwt|pwd|pass|passwd|passphrase|passcode|bearer|credential|appid|sessionid|x-session-id|accesskeyid)$/i

/** `api_key`, `X-Vault-Token`, `hapikey`, `clientSecret`, `sig` … */
const endings =
  /(^|[-_]|api|app|user|access|auth|client|private|secret|session|refresh)(key|token|secret|password|signature|sig|jwt)$/i

/** Words that end alike and are no secret: where a page or a sync begins, by what it is sorted, what a thing is called. */
const harmless =
  /(^|[-_])(sort|primary|partition|order|group|foreign|page|pagination|paging|cursor|next|previous|continuation|start|starting|resume|after|last|scroll|sync|delta|offset|skip|bookmark|watermark|checkpoint|position|change|history|cache|idempotency|dedup|unique|natural|composite|replication|project|issue|space|board|table|column|field|object|record|row|event|metric|attribute|grouping)[-_]?(key|token)$/i

/** What makes an address its own credential, in the words of the big stores. */
const signatures =
  /^(x-(amz|goog|ms)-(signature|security-token|credential)|signature|sig|awsaccesskeyid|googleaccessid)$/i

/** Whether a parameter of this name signs its address: whoever has it needs nothing else. */
export function isSignatureName(name: string): boolean {
  return signatures.test(name)
}

export function isCredentialName(name: string): boolean {
  return wholeNames.test(name) || (endings.test(name) && !harmless.test(name))
}
