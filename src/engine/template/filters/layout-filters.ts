/** Filters that lay out text: indent, truncate, wordwrap. */
import { spendText } from '../meter.ts'
import { splitLines } from '../methods/whitespace.ts'
import { failed, needs } from '../trouble.ts'
import { truthy } from '../values/equality.ts'
import { pythonLength } from '../values/iterate.ts'
import { usedUndefined } from '../values/undefined.ts'
import { isInt } from '../values/kind.ts'
import type { Value } from '../values/value.ts'
import { filters } from './filter.ts'
import { wrapLine } from './wrap.ts'

function text(input: Value, what: string): string {
  usedUndefined(input)
  if (typeof input === 'string') return input
  throw needs(`\`| ${what}\``, 'a str', input)
}

export const layoutFilters = filters({
  indent: [
    'width? first? blank?',
    (input, args) => {
      const width = args.optional(0) ?? 4
      const space = typeof width === 'string' ? width : ' '.repeat(Math.min(isInt(width) ? Number(width) : 4, 1000))
      return indented(
        text(input, 'indent'),
        space,
        truthy(args.optional(1) ?? false),
        truthy(args.optional(2) ?? false),
      )
    },
  ],
  truncate: [
    'length? killwords? end? leeway?',
    (input, args) => {
      const [length, end] = [args.optionalWhole(0) ?? 255, args.optionalText(2) ?? '...']
      return truncated(input, length, truthy(args.optional(1) ?? false), end, args.optionalWhole(3) ?? 5)
    },
  ],
  wordwrap: [
    'width? break_long_words? wrapstring? break_on_hyphens?',
    (input, args) => {
      const style = {
        width: args.optionalWhole(0) ?? 79,
        breaksWords: truthy(args.optional(1) ?? true),
        breaksHyphens: truthy(args.optional(3) ?? true),
      }
      const newline = args.optionalText(2) ?? '\n'
      return splitLines(text(input, 'wordwrap'))
        .map((line) => wrapLine(line, style).join(newline))
        .join(newline)
    },
  ],
})

function indented(content: string, space: string, indentsFirst: boolean, indentsBlank: boolean): string {
  const [first = '', ...rest] = splitLines(`${content}\n`)
  spendText(content.length + rest.length * space.length)
  const lines = rest.map((line) => (line === '' && !indentsBlank ? line : space + line))
  return (indentsFirst ? space : '') + [first, ...lines].join('\n')
}

// Jinja: whatever is short enough passes, be it text or not.
function truncated(input: Value, length: number, killsWords: boolean, end: string, leeway: number): Value {
  if (length < end.length || leeway < 0) throw failed('`| truncate` needs room for its ending')
  const size = pythonLength(input)
  if (size !== null && size <= length + leeway) return input
  const cut = Array.from(text(input, 'truncate'))
    .slice(0, length - end.length)
    .join('')
  if (killsWords) return cut + end
  const space = cut.lastIndexOf(' ')
  return (space === -1 ? cut : cut.slice(0, space)) + end
}
