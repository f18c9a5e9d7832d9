/** Percent-encoded text → the text that it encodes. */

/** The text itself where it is not encoded correctly. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Of a query or a form, where `+` is a space. */
export function queryDecode(text: string): string {
  return percentDecode(text.replaceAll('+', ' '))
}
