/** Whether an address carries a signature over itself: any parameter added to it would make the signature wrong. */

/** `X-Amz-Signature`, `X-Goog-Signature`, `sig` (Azure), `Signature` (CloudFront, older S3). */
const signatureName = /^(x-[a-z]+-signature|signature|sig)$/i

/** @example isPreSigned('https://files.test/x?Expires=1&Signature=abc') // true */
export function isPreSigned(url: string): boolean {
  const start = url.indexOf('?')
  if (start === -1) return false
  for (const [name, value] of new URLSearchParams(url.slice(start))) {
    if (value !== '' && signatureName.test(name)) return true
  }
  return false
}
