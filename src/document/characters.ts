/** Finds lines, spaces and comments from a position in a text. */

/** The position after spaces and tabs. */
export function behindSpaces(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at++
  return at
}

/** The position after spaces, line ends and comments. */
export function behindBlanks(text: string, from: number): number {
  let at = from
  for (;;) {
    const character = text[at]
    if (character === '#') at = lineEnd(text, at)
    else if (character === ' ' || character === '\t' || character === '\n' || character === '\r') at++
    else return at
  }
}

/** The start of the line. */
export function lineStart(text: string, from: number): number {
  let at = from
  while (at > 0 && text[at - 1] !== '\n' && text[at - 1] !== '\r') at--
  return at
}

/** The position of the next line end, or the end of the text. */
export function lineEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at++
  return at
}

/** The position of the line end before this line; the start of the text on its first line. */
export function previousLineEnd(text: string, from: number): number {
  const start = lineStart(text, from)
  if (start === 0) return 0
  return text[start - 1] === '\n' && text[start - 2] === '\r' ? start - 2 : start - 1
}

/** The start of the next line, or the end of the text. */
export function nextLine(text: string, from: number): number {
  const end = lineEnd(text, from)
  if (end === text.length) return end
  return text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1
}

/** The number of characters before this one on its line. */
export function columnOf(text: string, at: number): number {
  return at - lineStart(text, at)
}

/** Whether only spaces precede this position on its line. */
export function startsLine(text: string, at: number): boolean {
  return behindSpaces(text, lineStart(text, at)) >= at
}

const header = /[|>][-+0-9]*/y

/** The header of a block scalar, such as `|-`, at or after this position. */
export function headerOf(text: string, from: number): { start: number; end: number; text: string } {
  const start = behindBlanks(text, from)
  header.lastIndex = start
  const [found = ''] = header.exec(text) ?? []
  return { start, end: start + found.length, text: found }
}
