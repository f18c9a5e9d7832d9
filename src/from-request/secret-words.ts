/** Which values are secrets, whatever their name: nothing that looks like one is written into a manifest. */

/** How well-known services begin their keys. */
const secretValue =
  /^(?:(?:sk|pk|rk|whsec)_|sk-|gh[pousr]_|github_pat_|xox[abeprs]-|glpat-|shp(?:at|ca|pa|ss)_|AKIA|AIza|ya29\.|eyJ[\w-]{8,}\.|pat[A-Za-z\d]{10,}\.|SG\.|key-[\da-f]{20,}|Bearer\s|Basic\s)/

/** Long and mixed as no word is. */
const randomText = /^(?=.*\d)(?=.*[A-Za-z])[\w:.~+/=-]{24,}$/

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

export function isSecretValue(value: string): boolean {
  return secretValue.test(value)
}

/** Of a header or a part of a path, where long ids are rare and long keys are not. */
export function looksRandom(value: string): boolean {
  if (/^https?:\/\//i.test(value)) return isSecretAddress(value)
  return randomText.test(value) && !uuid.test(value)
}

/** An address is long and may have digits; a password, or a key in its path or query, makes it secret. */
function isSecretAddress(address: string): boolean {
  const [host = '', ...parts] = address.replace(/^https?:\/\//i, '').split(/[/?&=#]/)
  return host.includes('@') || parts.some((part) => isSecretValue(part) || looksRandom(part))
}

/** `$TOKEN`, `<your key>`, `YOUR_API_KEY`: placeholders in documentation. */
export function isPlaceholder(value: string): boolean {
  return /^(?:\$\{?\w+\}?|<[^>]*>|\{+[^}]*\}+|\[[^\]]*\]|%\w+%|your[-_ ].*|x{3,}|\*{3,}|\.{3,}|…)$/i.test(value)
}
