/** How the lines of a text end: an editor that does not know would rewrite every one of them. */
export type LineBreak = '\n' | '\r\n'

/** Where both occur, lines end with `\n` and the rest is part of them: nothing is lost. */
export function lineBreakOf(text: string): LineBreak {
  return text.includes('\r\n') && !/(^|[^\r])\n/.test(text) ? '\r\n' : '\n'
}

/** The text as the editor counts it, in which a line break is one character. */
export function asLines(text: string, lineBreak: LineBreak): string {
  return lineBreak === '\r\n' ? text.replaceAll('\r\n', '\n') : text
}
