/** Text of lines → items: JSON Lines, or each line as it is. */
import { parseJson } from '../../../std/json.ts'
import { FormatError, type ItemParser, longestItem, startOf, tooLong } from './item-parser.ts'

/** One JSON value a line. Blank lines hold none; any other line that is not JSON is a lost record, and an error. */
export function parseJsonLines(): ItemParser {
  let hasFloats = false
  const lines = splitLines((line, number, items) => {
    if (isBlank.test(line)) return
    try {
      const parsed = parseJson(line)
      hasFloats ||= parsed.hasFloats
      items.push(parsed.value)
    } catch (cause) {
      throw new FormatError(`line ${number} is not JSON: ${startOf(line)}`, { cause })
    }
  })
  return {
    ...lines,
    get hasFloats() {
      return hasFloats
    },
  }
}

const isBlank = /^\s*$/

/** Each line as `{ record: line }`, empty ones too. */
export function parseLines(): ItemParser {
  const unify = unifyLineEnds()
  const lines = splitLines((line, _number, items) => items.push({ record: line }))
  return { read: (text) => lines.read(unify(text)), end: lines.end, hasFloats: false }
}

/** `\r\n` and `\r` → `\n`, also where a piece of text ends between the two. */
export function unifyLineEnds(): (text: string) => string {
  let isAfterReturn = false
  return (text) => {
    if (text === '') return ''
    const rest = isAfterReturn && text.startsWith('\n') ? text.slice(1) : text
    isAfterReturn = text.endsWith('\r')
    return rest.includes('\r') ? rest.replaceAll(/\r\n?/g, '\n') : rest
  }
}

function splitLines(take: (line: string, number: number, items: unknown[]) => void): Pick<ItemParser, 'read' | 'end'> {
  /** The parts of the line that is not over yet: joined once, however many there are. */
  let open: string[] = []
  let openLength = 0
  let number = 0

  const close = (last: string): string => {
    if (open.length === 0) return last
    const line = open.join('') + last
    open = []
    openLength = 0
    return line
  }
  return {
    read(text) {
      const items: unknown[] = []
      let start = 0
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
        take(close(text.slice(start, end)), ++number, items)
        start = end + 1
      }
      if (start < text.length) {
        open.push(text.slice(start))
        openLength += text.length - start
        if (openLength > longestItem) throw tooLong(`line ${number + 1}`)
      }
      return items
    },
    end() {
      const items: unknown[] = []
      const line = close('')
      if (line !== '') take(line, ++number, items)
      return items
    },
  }
}
