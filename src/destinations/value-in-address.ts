/** The value of a variable → how it is written at the place of the variable in an address. */

/** The scheme, then user and password: all before the last `@` of what may name the host. */
const login = /^([a-z][a-z\d+.-]*:\/\/)([^/?#]*)@/i

/**
 * A password with `@` and `/` would end the login, and the rest of it would be taken for the host.
 *
 * @param offset of the variable in the address as it is written, with its variables
 */
export function valueInAddress(written: string, offset: number, value: string): string {
  const [, scheme = '', userAndPassword = ''] = login.exec(written) ?? []
  if (offset < scheme.length || offset >= scheme.length + userAndPassword.length) return value
  if (written.slice(scheme.length, offset).includes(':')) return encoded(value)
  if (userAndPassword.includes(':')) return encoded(value).replaceAll(':', '%3A')
  // One variable for both: `me:secret`.
  const [user = '', ...password] = value.split(':')
  return password.length === 0 ? encoded(user) : `${encoded(user)}:${encoded(password.join(':'))}`
}

/** What was percent-encoded by its author stays. */
function encoded(value: string): string {
  return /^(?:[^%@/?#]|%[\da-f]{2})*$/i.test(value) ? value : encodeURIComponent(value)
}
