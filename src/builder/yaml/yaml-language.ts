/**
 * YAML for the editor: colours, folds and indentation, line by line and only near the screen. A syntax tree of a long text would
 * cost more at every key than everything else.
 */
import {
  foldService,
  indentService,
  type IndentContext,
  StreamLanguage,
  type StreamParser,
  type StringStream,
} from '@codemirror/language'
import type { EditorState, Extension } from '@codemirror/state'

type LineState = {
  /** The quote of a string that is still open. */
  quote: string | null
  /** Lines further right than this column are the text of a block scalar; null outside of one. */
  block: number | null
  /** How many brackets are open. */
  depth: number
  /** Of the last key or dash. */
  column: number
}

const parser: StreamParser<LineState> = {
  name: 'yaml',
  startState: () => ({ quote: null, block: null, depth: 0, column: 0 }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (state.quote !== null) return quoted(stream, state)
    if (state.block !== null && stream.sol()) {
      if (stream.match(/^\s*$/) !== null) return null
      if (stream.indentation() > state.block) return rest(stream, 'string')
      state.block = null
    }
    if (stream.sol() && stream.match(/^(?:---|\.\.\.)(?=\s|$)/) !== null) return 'meta'
    if (stream.sol() && stream.peek() === '%') return rest(stream, 'keyword')
    if (stream.eatSpace()) return null
    if (stream.peek() === '#') return rest(stream, 'lineComment')
    if (stream.match(/^[&*][^\s,[\]{}]+/) !== null) return 'labelName'
    if (stream.match(/^![^\s,[\]{}]*/) !== null) return 'typeName'
    return mark(stream, state) ?? scalar(stream, state)
  },
  languageData: { commentTokens: { line: '#' }, indentOnInput: /^\s*[\]}]$/ },
}

function rest(stream: StringStream, kind: string): string {
  stream.skipToEnd()
  return kind
}

/** Dashes, colons, brackets, and the header of a block scalar. */
function mark(stream: StringStream, state: LineState): string | null {
  if (stream.match(/^[-?](?=\s|$)/, false) !== null) state.column = stream.column()
  if (stream.match(/^[-?:](?=\s|$)/) !== null) return 'punctuation'
  if (state.depth > 0 && stream.match(/^[:,]/) !== null) return 'punctuation'
  if (stream.match(/^[[{]/) !== null) state.depth++
  else if (state.depth > 0 && stream.match(/^[\]}]/) !== null) state.depth--
  else if (stream.match(/^[|>][-+\d]*(?=\s*(?:\s#.*)?$)/) !== null) state.block = state.column
  else return null
  return 'punctuation'
}

function scalar(stream: StringStream, state: LineState): string {
  const column = stream.column()
  const kind = stream.match(/^["']/, false) === null ? plain(stream, state) : quoted(stream, state)
  if (stream.match(state.depth > 0 ? /^\s*:/ : /^\s*:(?=\s|$)/, false) === null) return kind
  state.column = column
  return 'propertyName'
}

function plain(stream: StringStream, { depth }: LineState): string {
  stream.match(depth > 0 ? /^.[^:,[\]{}#]*/ : /^.(?:(?!\s+#|\s*:(?:\s|$)).)*/)
  return 'content'
}

/** Up to the quote that closes it, which may be on a later line. */
function quoted(stream: StringStream, state: LineState): string {
  const quote = state.quote ?? stream.next() ?? '"'
  const isClosed = stream.match(quote === '"' ? /^(?:[^"\\]|\\.)*"/ : /^(?:[^']|'')*'(?!')/) !== null
  state.quote = isClosed ? null : quote
  if (!isClosed) stream.skipToEnd()
  return 'string'
}

/** Below the line before: under its first key, further right after what opens a block or a bracket. */
function indentAt(context: IndentContext, at: number): number {
  const { unit, state, simulatedBreak } = context
  const line = state.doc.lineAt(at)
  const before =
    simulatedBreak === at ? state.sliceDoc(line.from, at) : state.doc.lineAt(Math.max(0, line.from - 1)).text
  const indent = /^\s*/.exec(before)?.[0].length ?? 0
  const isOpening = /[[{]\s*$/.test(before)
  if (/^\s*[\]}]/.test(context.textAfterPos(at))) return isOpening ? indent : Math.max(0, indent - unit)
  const column = /^\s*(?:- +)*(?=[^\s#][^#]*:(?:\s|$))/.exec(before)?.[0].length ?? indent
  return isOpening || /(?:^|\s)[|>][-+\d]*\s*$/.test(before) ? column + unit : column
}

/** From a key or an item over all that is further right; the items of a key may be in its own column. */
function foldBelow(state: EditorState, start: number, end: number): { from: number; to: number } | null {
  const [, blanks = '', first = ''] = /^( *)(-\s|[^\s#])?/.exec(state.sliceDoc(start, end)) ?? []
  if (first === '') return null
  const column = blanks.length
  const next = first.startsWith('- ') ? '[^\\s#]' : '(?:[^\\s#-]|-(?!\\s))'
  const less = column === 0 ? '' : `|\\n {0,${column - 1}}[^\\s#]`
  const outside = new RegExp(`\\n {${column}}${next}${less}`)
  // Mostly it ends soon.
  for (let length = 2000; ; length *= 16) {
    const below = state.sliceDoc(end, end + length)
    const found = outside.exec(below)
    if (found === null && end + length < state.doc.length) continue
    // A comment that is no further right belongs to what comes next.
    const inside = below
      .slice(0, found?.index)
      .replace(new RegExp(`(?:\\s*\\n {0,${column}}#[^\\n]*)+\\s*$`), '')
      .trimEnd()
    return inside === '' ? null : { from: end, to: end + inside.length }
  }
}

export const yamlLines = StreamLanguage.define(parser)

export const yamlLanguage: Extension = [yamlLines, foldService.of(foldBelow), indentService.of(indentAt)]
