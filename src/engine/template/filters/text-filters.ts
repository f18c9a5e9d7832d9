/** Filters over strings, and those every value passes through. */
import { percentFormat } from '../methods/percent-format.ts'
import { replaceText } from '../methods/string-methods.ts'
import { capitalize, centered } from '../methods/string-shape-methods.ts'
import { stripped } from '../methods/whitespace.ts'
import { attributeOf } from '../methods/attributes.ts'
import { quotePath, quotePlus } from '../quote.ts'
import { failed, Trouble, wrongType } from '../trouble.ts'
import { isInternal } from '../values/access.ts'
import { Tuple, Undefined } from '../values/containers.ts'
import { describe } from '../values/describe.ts'
import { dictEntries } from '../values/dict.ts'
import { truthy } from '../values/equality.ts'
import { iterate, membersOf } from '../values/iterate.ts'
import { str } from '../values/python-text.ts'
import { usedUndefined } from '../values/undefined.ts'
import { kindOf } from '../values/kind.ts'
import { given, isDict, type Value } from '../values/value.ts'
import { filters } from './filter.ts'

function orDefault(input: Value, fallback: Value | undefined, alsoFalse: Value | undefined): Value {
  const isMissing = kindOf(input) === 'undefined' || (truthy(alsoFalse ?? false) && !truthy(input))
  return isMissing ? given(fallback, '') : input
}

export const textFilters = filters({
  default: ['default_value? boolean?', (input, args) => orDefault(input, args.optional(0), args.optional(1))],
  d: ['default_value? boolean?', (input, args) => orDefault(input, args.optional(0), args.optional(1))],
  attr: [
    'name',
    (input, args) => {
      usedUndefined(input)
      const name = args.text(0)
      if (isInternal(name)) return new Undefined(`\`${name}\` is out of bounds`, true)
      return given(attributeOf(input, name), new Undefined(`there is no \`${name}\` in ${describe(input)}`))
    },
  ],
  upper: ['', (input) => str(input).toUpperCase()],
  lower: ['', (input) => str(input).toLowerCase()],
  capitalize: ['', (input) => capitalize(str(input))],
  title: ['', (input) => titled(str(input))],
  trim: ['chars?', (input, args) => stripped(str(input), args.optionalText(0), 'both')],
  center: ['width?', (input, args) => centered(str(input), args.optionalWhole(0) ?? 80)],
  replace: [
    'old new count?',
    (input, args) => replaceText(str(input), str(args.value(0)), str(args.value(1)), args.optionalWhole(2) ?? -1),
  ],
  format: [
    '* **',
    (input, _, __, { positional, named }) => {
      if (positional.length > 0 && named !== null && named.size > 0) {
        throw new Trouble('failed', '`| format` takes arguments with names or without, not both')
      }
      return percentFormat(str(input), named !== null && named.size > 0 ? new Map(named) : new Tuple(positional))
    },
  ],
  wordcount: ['', (input) => str(input).match(/[\p{L}\p{N}\p{M}_]+/gu)?.length ?? 0],
  urlencode: ['', urlencode],
})

/** Jinja's own: after spaces and opening brackets, the rest of each word lower. */
function titled(text: string): string {
  return text
    .split(/([-\s({[<]+)/)
    .filter((part) => part !== '')
    .map((part) => {
      const [first = '', ...rest] = part
      return first.toUpperCase() + rest.join('').toLowerCase()
    })
    .join('')
}

function urlencode(input: Value): string {
  if (typeof input === 'string' || membersOf(input) === null) return quotePath(str(input))
  const pairs = isDict(input) ? dictEntries(input) : [...iterate(input)].map(pairOf)
  return pairs.map(([key, value]) => `${quotePlus(str(key))}=${quotePlus(str(value))}`).join('&')
}

function pairOf(value: Value): [Value, Value] {
  const members = membersOf(value)
  if (members === null) throw wrongType(`\`| urlencode\` needs pairs, not ${describe(value)}`, value)
  const [key, member, ...rest] = members
  if (key === undefined || member === undefined || rest.length > 0) throw failed('`| urlencode` needs pairs')
  return [key, member]
}
