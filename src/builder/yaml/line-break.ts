/** Which line break a text uses, so that the editor does not rewrite every line. */
export type LineBreak = '\n' | '\r\n'

/** Where both occur, lines end with `\n` and the rest is part of them: nothing is lost. */
export function lineBreakOf(text: string): LineBreak {
  return text.includes('\r\n') && !/(^|[^\r])\n/.test(text) ? '\r\n' : '\n'
}

/** The text as the editor counts it, in which a line break is one character. */
export function asLines(text: string, lineBreak: LineBreak): string {
  return lineBreak === '\r\n' ? text.replaceAll('\r\n', '\n') : text
}
