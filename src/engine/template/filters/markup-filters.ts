/** Filters that write or remove HTML. */
import { failed, needs } from '../trouble.ts'
import { asDict, dictEntries } from '../values/dict.ts'
import { str } from '../values/python-text.ts'
import { kindOf, isInt } from '../values/kind.ts'
import type { Value } from '../values/value.ts'
import { filters } from './filter.ts'
import { spendText } from '../meter.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&#34;' }
const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\xa0',
  copy: '©',
  reg: '®',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  euro: '€',
}

function escapeHtml(text: string): string {
  spendText(text.length)
  return text.replace(/[&<>'"]/g, (sign) => entities[sign] ?? sign)
}

const escape = ['', (input: Value) => escapeHtml(str(input))] as const

export const markupFilters = filters({
  e: escape,
  escape,
  forceescape: escape,
  safe: ['', (input) => str(input)],
  striptags: ['', (input) => stripTags(str(input))],
  xmlattr: [
    'autospace?',
    (input, args) => {
      const dict = asDict(input)
      if (dict === null) throw needs('`| xmlattr`', 'a dict', input)
      const pairs = dictEntries(dict).filter(([, value]) => value !== null && kindOf(value) !== 'undefined')
      const text = pairs.map(([key, value]) => `${attributeName(str(key))}="${escapeHtml(str(value))}"`).join(' ')
      return args.optional(0) !== false && text !== '' ? ` ${text}` : text
    },
  ],
  urlize: [
    'trim_url_limit? nofollow? target? rel? extra_schemes?',
    (input, args) => {
      const limit = args.optional(0)
      return urlized(str(input), isInt(limit) ? Number(limit) : null, args.optionalText(2))
    },
  ],
})

function attributeName(name: string): string {
  if (/[\s/>=]/.test(name)) throw failed('the name of an attribute holds a forbidden character')
  return escapeHtml(name)
}

/** Comments and tags removed, runs of space made one, entities made characters. */
function stripTags(text: string): string {
  const bare = cut(cut(text, '<!--', '-->'), '<', '>')
  const words = bare.split(/\s+/).filter((word) => word !== '')
  return words.join(' ').replace(/&(?:#(\d+)|#[xX]([\da-fA-F]+)|(\w+));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
  })
}

function cut(text: string, open: string, close: string): string {
  let kept = ''
  let position = 0
  for (;;) {
    const start = text.indexOf(open, position)
    const end = start === -1 ? -1 : text.indexOf(close, start + open.length)
    if (end === -1) return kept + text.slice(position)
    kept += text.slice(position, start)
    position = end + close.length
  }
}

function urlized(text: string, limit: number | null, target: string | null): string {
  const extra = target === null ? '' : ` target="${escapeHtml(target)}"`
  return escapeHtml(text)
    .split(/(\s+)/)
    .map((word) => {
      const match = /^(https?:\/\/|www\.)(\S+?)([.,:;!?)\]]*)$/.exec(word)
      if (match === null) return word
      const [, start = '', rest = '', end = ''] = match
      const shown =
        limit !== null && (start + rest).length > limit ? `${(start + rest).slice(0, limit)}...` : start + rest
      const address = start === 'www.' ? `https://${start}${rest}` : start + rest
      return `<a href="${address}" rel="noopener"${extra}>${shown}</a>${end}`
    })
    .join('')
}
