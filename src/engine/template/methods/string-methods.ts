/** Methods of str that search, cut, join and replace. */
import { spend, spendList, spendText } from '../meter.ts'
import { failed, needs } from '../trouble.ts'
import { Bytes, Tuple } from '../values/containers.ts'
import { isPlainText, iterate, textLength } from '../values/iterate.ts'
import { getSlice } from '../values/access.ts'
import type { Value } from '../values/value.ts'
import { type MethodArguments, methods } from './method.ts'
import { formatText } from './text-format.ts'
import { splitLines, splitWords, stripped } from './whitespace.ts'

export const stringMethods = methods<string>({
  strip: ['chars?', (self, args) => stripped(self, args.optionalText(0), 'both')],
  lstrip: ['chars?', (self, args) => stripped(self, args.optionalText(0), 'start')],
  rstrip: ['chars?', (self, args) => stripped(self, args.optionalText(0), 'end')],
  split: ['sep? maxsplit?', (self, args) => splitText(self, args.optionalText(0), args.optionalWhole(1) ?? -1)],
  rsplit: ['sep? maxsplit?', (self, args) => splitFromEnd(self, args.optionalText(0), args.optionalWhole(1) ?? -1)],
  splitlines: ['keepends?', (self, args) => splitLines(self, args.optional(0) === true)],
  partition: ['sep', (self, args) => partition(self, args.text(0), self.indexOf(separator(args)), false)],
  rpartition: ['sep', (self, args) => partition(self, args.text(0), self.lastIndexOf(separator(args)), true)],
  join: ['values', (self, args) => joinTexts(self, args.value(0))],
  replace: [
    'old new count?',
    (self, args) => replaceText(self, args.text(0), args.text(1), args.optionalWhole(2) ?? -1),
  ],
  startswith: [
    'prefix start? end?',
    (self, args) => matchesAny(args, (prefix) => windowOf(self, args).text.startsWith(prefix)),
  ],
  endswith: [
    'suffix start? end?',
    (self, args) => matchesAny(args, (suffix) => windowOf(self, args).text.endsWith(suffix)),
  ],
  find: ['sub start? end?', (self, args) => search(self, args, 'indexOf')],
  rfind: ['sub start? end?', (self, args) => search(self, args, 'lastIndexOf')],
  index: ['sub start? end?', (self, args) => found(search(self, args, 'indexOf'))],
  rindex: ['sub start? end?', (self, args) => found(search(self, args, 'lastIndexOf'))],
  count: ['sub start? end?', (self, args) => occurrences(windowOf(self, args).text, args.text(0))],
  removeprefix: ['prefix', (self, args) => (self.startsWith(args.text(0)) ? self.slice(args.text(0).length) : self)],
  removesuffix: [
    'suffix',
    (self, args) => (args.text(0) !== '' && self.endsWith(args.text(0)) ? self.slice(0, -args.text(0).length) : self),
  ],
  format: ['* **', (self, _, __, { positional, named }) => formatText(self, positional, named ?? new Map())],
  encode: ['encoding? errors?', (self) => new Bytes(new TextEncoder().encode(self))],
})

function separator(args: MethodArguments): string {
  if (args.text(0) === '') throw failed('the separator is empty')
  return args.text(0)
}

function splitText(text: string, by: string | null, limit: number): string[] {
  spendText(text.length)
  if (by === null) return splitWords(text, limit)
  if (by === '') throw failed('the separator is empty')
  const parts = text.split(by)
  spendList(parts.length)
  if (limit < 0 || parts.length <= limit + 1) return parts
  return [...parts.slice(0, limit), parts.slice(limit).join(by)]
}

function splitFromEnd(text: string, by: string | null, limit: number): string[] {
  if (limit < 0) return splitText(text, by, limit)
  if (by === null) {
    return splitWords(backwards(text), limit).map(backwards).toReversed()
  }
  const parts = splitText(text, by, -1)
  if (parts.length <= limit + 1) return parts
  const kept = parts.length - limit
  return [parts.slice(0, kept).join(by), ...parts.slice(kept)]
}

function backwards(text: string): string {
  return Array.from(text).toReversed().join('')
}

function partition(text: string, by: string, at: number, fromEnd: boolean): Tuple {
  if (at === -1) return new Tuple(fromEnd ? ['', '', text] : [text, '', ''])
  return new Tuple([text.slice(0, at), by, text.slice(at + by.length)])
}

function joinTexts(by: string, values: Value): string {
  const parts: string[] = []
  let length = 0
  for (const value of iterate(values, '`join`')) {
    if (typeof value !== 'string') throw needs('`join`', 'a list of str', value)
    length += value.length + by.length
    spend(0.2)
    parts.push(value)
  }
  spendText(length)
  return parts.join(by)
}

/** Also the filter `replace`. */
export function replaceText(text: string, old: string, by: string, limit: number): string {
  const most = old === '' ? textLength(text) + 1 : text.length / old.length
  spendText(text.length + (limit < 0 ? most : Math.min(limit, most)) * by.length)
  if (limit === 0) return text
  if (limit < 0 && (old !== '' || isPlainText(text))) return text.replaceAll(old, () => by)
  const parts = old === '' ? ['', ...Array.from(text), ''] : text.split(old)
  const times = limit < 0 ? parts.length - 1 : Math.min(limit, parts.length - 1)
  return (
    parts.slice(0, times + 1).join(by) +
    parts
      .slice(times + 1)
      .map((part) => (old === '' ? part : old + part))
      .join('')
  )
}

/** The part that the optional `start` and `end` leave, and how many characters come before it. */
function windowOf(text: string, args: MethodArguments): { text: string; before: number } {
  const [start, end] = [args.optionalWhole(1), args.optionalWhole(2)]
  if (start === null && end === null) return { text, before: 0 }
  const length = textLength(text)
  const before = Math.min(Math.max((start ?? 0) < 0 ? (start ?? 0) + length : (start ?? 0), 0), length)
  return { text: getSlice(text, start, end, null) as string, before }
}

function matchesAny(args: MethodArguments, matches: (affix: string) => boolean): boolean {
  const affix = args.value(0)
  if (!(affix instanceof Tuple)) return matches(args.text(0))
  return affix.items.some((item) => {
    if (typeof item !== 'string') throw needs(`\`${args.what}\``, 'a str', item)
    return matches(item)
  })
}

function search(text: string, args: MethodArguments, how: 'indexOf' | 'lastIndexOf'): number {
  const { text: part, before } = windowOf(text, args)
  const at = part[how](args.text(0))
  return at === -1 ? -1 : before + textLength(part.slice(0, at))
}

function found(position: number): number {
  if (position === -1) throw failed('the string does not contain the substring')
  return position
}

function occurrences(text: string, part: string): number {
  return part === '' ? textLength(text) + 1 : text.split(part).length - 1
}
