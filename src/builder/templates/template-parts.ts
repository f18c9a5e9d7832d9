/** A template → its parts, for colouring. Forgiving: what is being typed is rarely whole. */
export type PartKind = 'plain' | 'mark' | 'name' | 'member' | 'text' | 'number' | 'word' | 'filter' | 'sign' | 'comment'

export type TemplatePart = { readonly kind: PartKind; readonly from: number; readonly to: number }

const words = new Set(
  'and or not in is if else elif endif for endfor set endset true false none True False None defined undefined'.split(
    ' ',
  ),
)

/** Longer templates are shown without colours, so that typing never waits. */
const mostColoured = 20_000

const token =
  /(?<text>'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?)|(?<number>\d[\d_]*(?:\.\d+)?)|(?<name>[A-Za-z_]\w*)|(?<sign>[^\s\w'"]+?)|\s+/gs

export function templateParts(text: string): readonly TemplatePart[] {
  if (text.length > mostColoured) return [{ kind: 'plain', from: 0, to: text.length }]
  const parts: TemplatePart[] = []
  const add = (kind: PartKind, from: number, to: number) => from < to && parts.push({ kind, from, to })
  let at = 0
  for (const { index, 0: opening } of text.matchAll(/\{\{|\{%|\{#/g)) {
    if (index < at) continue
    const end = templateEnd(text, index)
    add('plain', at, index)
    if (opening === '{#') add('comment', index, end.after)
    else {
      add('mark', index, index + 2)
      parts.push(...expressionParts(text, index + 2, end.inside))
      add('mark', end.inside, end.after)
    }
    at = end.after
  }
  add('plain', at, text.length)
  return parts
}

const closings: Partial<Record<string, string>> = { '{{': '}}', '{%': '%}', '{#': '#}' }

/** Where what was opened here ends: before its closing mark, and after it. Marks inside quotes do not count. */
export function templateEnd(text: string, open: number): { readonly inside: number; readonly after: number } {
  const closing = closings[text.slice(open, open + 2)] ?? '}}'
  let quote: string | null = null
  for (let at = open + 2; at < text.length; at++) {
    const letter = text[at]
    if (quote !== null) {
      if (letter === '\\') at++
      else if (letter === quote) quote = null
    } else if (text.startsWith(closing, at)) return { inside: at, after: at + 2 }
    else if (closing !== '#}' && (letter === "'" || letter === '"')) quote = letter
  }
  return { inside: text.length, after: text.length }
}

function expressionParts(text: string, from: number, to: number): TemplatePart[] {
  const parts: TemplatePart[] = []
  let before = ''
  for (const found of text.slice(from, to).matchAll(token)) {
    const start = from + found.index
    const kind = kindOf(found.groups ?? {}, before)
    parts.push({ kind, from: start, to: start + found[0].length })
    if (found[0].trim() !== '') before = found[0]
  }
  return parts
}

function kindOf(groups: { [kind: string]: string | undefined }, before: string): PartKind {
  if (groups['text'] !== undefined) return 'text'
  if (groups['number'] !== undefined) return 'number'
  if (groups['sign'] !== undefined) return 'sign'
  const { name } = groups
  if (name === undefined) return 'plain'
  if (before === '|') return 'filter'
  if (before === '.') return 'member'
  return words.has(name) ? 'word' : 'name'
}
