/** The items of a list in another order, each with the comments above it; and keys under another name. */
import { lineEnd, lineStart, nextLine, startsLine } from './characters.ts'
import { layoutOf } from './layout.ts'
import type { Step } from './locate.ts'
import { endOf, type Entry, type SourceTree } from './source-tree.ts'
import { quoteAt } from './splice-entry.ts'
import { keyText } from './value-text.ts'

/** The list is the last step. */
export function spliceMove(tree: SourceTree, steps: readonly Step[], from: number, to: number): string | null {
  const { text } = tree
  const list = steps.at(-1)
  if (list?.node.kind !== 'list') return null
  const { entries, isFlow } = list.node
  const parts = isFlow ? entries.map((entry) => itself(list.start, entry)) : linesOf(text, list, entries)
  if (parts === null) return null
  const texts = parts.map((part) => text.slice(part.start, part.end))
  const [moved] = texts.splice(from, 1)
  if (moved === undefined) return null
  texts.splice(to, 0, moved)
  const [first] = parts
  const last = parts.at(-1)
  if (first === undefined || last === undefined) return null
  // What stands between the parts, a line end or a comma, stays where it is.
  const between = parts.map((part, index) => text.slice(part.end, parts[index + 1]?.start ?? part.end))
  const rejoined = texts.map(
    (part, index) => part + (between[index] || (index + 1 < texts.length ? layoutOf(tree).lineEnd : '')),
  )
  return text.slice(0, first.start) + rejoined.join('') + text.slice(last.end)
}

type Part = { readonly start: number; readonly end: number }

function itself(start: number, entry: Entry): Part {
  return { start: start + entry.at, end: start + endOf(entry) }
}

/** Whole lines without their last line end; null when an item shares a line with what is around it. */
function linesOf(text: string, { start, held }: Step, entries: readonly Entry[]): Part[] | null {
  const [first] = entries
  if (first === undefined || !startsLine(text, start + first.at)) return null
  const above = held === null ? 0 : nextLine(text, held.start + (held.entry.markEnd ?? 0))
  const firstLine = lineStart(text, start + first.at)
  let next = held === null ? firstLine : Math.min(above, firstLine)
  return entries.map((entry) => {
    const part = { start: next, end: lineEnd(text, start + endOf(entry)) }
    next = nextLine(text, part.end)
    return part
  })
}

/** The last step's key under another name, in the quotes it had. */
export function spliceKey(tree: SourceTree, steps: readonly Step[], name: string): string | null {
  const held = steps.at(-1)?.held
  const parent = steps.at(-2)
  if (held == null || held.entry.key === null || parent?.node.kind !== 'map') return null
  const { text, isJson } = tree
  const style = quoteAt(text, held.start)
  const key = isJson ? JSON.stringify(name) : keyText(name, style, parent.node.isFlow)
  return text.slice(0, held.start) + key + text.slice(held.start + held.entry.keyLength)
}
