/** Text → the source of a regular expression that matches exactly this text. */

/** `RegExp.escape` came with Node 24. Also for patterns with the flag `u`, which refuses escapes that are not needed. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}
