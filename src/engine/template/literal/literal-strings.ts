/** Python string literals at a position → their text: prefixes, triple quotes, escapes, and adjacent literals joined. */
import { unescapePython } from '../syntax/string-escapes.ts'

export type FoundText = { readonly text: string; readonly end: number; readonly isBytes: boolean }

const literal =
  /([rR][bB]|[bB][rR]|[rRuUbB])?(?:"""((?:[^\\]|\\[\s\S])*?)"""|'''((?:[^\\]|\\[\s\S])*?)'''|"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)')/y

/** Null when the literals are broken, or mix text and bytes. */
export function readLiteralStrings(source: string, start: number, space: RegExp): FoundText | null {
  let text = ''
  let end = start
  let isBytes: boolean | null = null
  for (;;) {
    literal.lastIndex = end
    const match = literal.exec(source)
    if (match === null) break
    const prefix = (match[1] ?? '').toLowerCase()
    const body = match[2] ?? match[3] ?? match[4] ?? match[5] ?? ''
    if (isBytes !== null && isBytes !== prefix.includes('b')) return null
    isBytes = prefix.includes('b')
    // oxlint-disable-next-line no-control-regex
    if (isBytes && /[^\x00-\x7f]/.test(body)) return null
    const part = prefix.includes('r') ? body : unescapePython(body, isBytes)
    if (part === null) return null
    text += part
    end = afterSpace(source, literal.lastIndex, space)
  }
  return isBytes === null ? null : { text, end, isBytes }
}

function afterSpace(source: string, position: number, space: RegExp): number {
  space.lastIndex = position
  return position + (space.exec(source)?.[0].length ?? 0)
}
