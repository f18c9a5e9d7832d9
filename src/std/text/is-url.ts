/** Whether a text is an address, alone or against a base. */

/**
 * In place of `URL.canParse`: once that is called often, Node 20 refuses addresses with letters such as `ä`, and links with them
 * would pass for foreign.
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    return new URL(text, base).href !== ''
  } catch {
    return false
  }
}
