/** Names of headers and parameters that carry credentials, whatever their value. */

const credentialHeader =
  /^((proxy-)?authorization|(set-)?cookie2?|.*(api|access|auth|private|security|secret|session|refresh)[-_]?(key|token)|.*(secret|password))$/i

export function isCredentialHeader(name: string): boolean {
  return credentialHeader.test(name)
}

/** A parameter says more loosely what it is: `key` alone is one. */
const credentialParameter =
  /^(.*[-_])?(api|access|auth|client|private|secret|session|refresh)?[-_]?(key|token|secret|password|signature|sig)$/i

export function isCredentialParameter(name: string): boolean {
  return credentialParameter.test(name)
}
