/** JSON text that may have been cut anywhere → what can be said of it so far. */
import { parseJson } from '../../../std/json.ts'

/** What comes before the cut, closed: `{"data": [{"id": 1}, {"id"` is read as `{"data": [{"id": 1}]}`. Undefined where nothing is. */
export function parseBeginning(text: string): unknown {
  const cut = lastWhole(text)
  if (cut === null) return undefined
  try {
    return parseJson(cut).value
  } catch {
    return undefined
  }
}

/** Up to the last value that is whole, with what was open then closed. */
function lastWhole(text: string): string | null {
  const token = /"(?:[^"\\]|\\.)*"|[[{\]},:"]|[^\s"[\]{},:]+/gu
  const open: string[] = []
  let whole: { readonly end: number; readonly closing: string } | null = null
  let isName = false
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [word] = found
    // An unclosed string was cut.
    if (word === '"') break
    if (word === '{' || word === '[') open.push(word === '{' ? '}' : ']')
    if (word === '}' || word === ']') open.pop()
    if (word === '{' || word === ',') isName = open.at(-1) === '}'
    else if (word === ':' || word === '[') isName = false
    const end = token.lastIndex
    const isValue = !',:'.includes(word) && !(isName && word.startsWith('"'))
    // A number or word at the very end may have been cut as well.
    if (isValue && (end < text.length || /[\]}[{"]$/u.test(word))) whole = { end, closing: open.toReversed().join('') }
    if (open.length === 0) return text
  }
  return whole === null ? null : text.slice(0, whole.end) + whole.closing
}
