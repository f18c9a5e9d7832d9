/** Methods of str that change or test its letters and its width. */
import { spendText } from '../meter.ts'
import { failed } from '../trouble.ts'
import { textLength } from '../values/iterate.ts'
import { methods } from './method.ts'
import { isSpace } from './whitespace.ts'

export const stringShapeMethods = methods<string>({
  upper: ['', (self) => self.toUpperCase()],
  lower: ['', (self) => self.toLowerCase()],
  casefold: ['', (self) => casefold(self)],
  capitalize: ['', (self) => capitalize(self)],
  title: ['', (self) => titled(self)],
  swapcase: [
    '',
    (self) =>
      Array.from(self, (letter) => (/\p{Lu}/u.test(letter) ? letter.toLowerCase() : letter.toUpperCase())).join(''),
  ],
  center: ['width fillchar?', (self, args) => centered(self, args.whole(0), args.optionalText(1) ?? ' ')],
  ljust: ['width fillchar?', (self, args) => self + padding(self, args.whole(0), args.optionalText(1) ?? ' ')],
  rjust: ['width fillchar?', (self, args) => padding(self, args.whole(0), args.optionalText(1) ?? ' ') + self],
  zfill: ['width', (self, args) => zeroFilled(self, args.whole(0))],
  expandtabs: ['tabsize?', (self, args) => expandTabs(self, args.optionalWhole(0) ?? 8)],
  isalpha: ['', (self) => /^\p{L}+$/u.test(self)],
  isalnum: ['', (self) => /^[\p{L}\p{N}]+$/u.test(self)],
  isdigit: ['', (self) => /^[\p{Nd}\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468]+$/u.test(self)],
  isdecimal: ['', (self) => /^\p{Nd}+$/u.test(self)],
  isnumeric: ['', (self) => /^\p{N}+$/u.test(self)],
  isspace: ['', (self) => isSpace.test(self)],
  isupper: ['', (self) => isUpper(self)],
  islower: ['', (self) => isLower(self)],
  istitle: ['', (self) => /\p{L}/u.test(self) && titled(self) === self],
  isidentifier: ['', (self) => /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*$/u.test(self)],
  // oxlint-disable-next-line no-control-regex
  isascii: ['', (self) => /^[\x00-\x7f]*$/.test(self)],
  isprintable: ['', (self) => !/[\p{Z}\p{C}]/u.test(self.replaceAll(' ', ''))],
})

export function isUpper(text: string): boolean {
  return /[\p{Lu}\p{Lt}]/u.test(text) && !/[\p{Ll}\p{Lt}]/u.test(text)
}

export function isLower(text: string): boolean {
  return /\p{Ll}/u.test(text) && !/[\p{Lu}\p{Lt}]/u.test(text)
}

// Letters such as ß and ﬁ fold to the letters their capitals are made of.
function casefold(text: string): string {
  return Array.from(text.toLowerCase(), (letter) => {
    const capital = letter.toUpperCase()
    return capital.length > letter.length ? capital.toLowerCase() : letter
  }).join('')
}

function titleLetter(letter: string): string {
  const capital = letter.toUpperCase()
  return textLength(capital) > 1 ? capital.charAt(0) + capital.slice(1).toLowerCase() : capital
}

export function capitalize(text: string): string {
  const [first = '', ...rest] = text
  return titleLetter(first) + rest.join('').toLowerCase()
}

function titled(text: string): string {
  let isInside = false
  return Array.from(text, (letter) => {
    const shown = isInside ? letter.toLowerCase() : titleLetter(letter)
    isInside = /\p{L}/u.test(letter) && letter.toLowerCase() !== letter.toUpperCase()
    return shown
  }).join('')
}

function padding(text: string, width: number, fill: string): string {
  if (textLength(fill) !== 1) throw failed('the fill must be exactly one character')
  const missing = Math.max(width - textLength(text), 0)
  spendText(missing)
  return fill.repeat(missing)
}

/** Also the filter `center`. */
export function centered(text: string, width: number, fill = ' '): string {
  const pad = padding(text, width, fill)
  const missing = textLength(pad)
  // Python puts the odd one on the left only when the width is odd, too.
  const left = Math.floor(missing / 2) + (missing & width & 1)
  return fill.repeat(left) + text + fill.repeat(missing - left)
}

function zeroFilled(text: string, width: number): string {
  const [sign = ''] = /^[+-]/.exec(text) ?? []
  return sign + padding(text, width, '0') + text.slice(sign.length)
}

function expandTabs(text: string, size: number): string {
  spendText(text.length + text.split('\t').length * Math.max(size, 0))
  let column = 0
  return Array.from(text, (letter) => {
    if (letter === '\n' || letter === '\r') column = -1
    const shown = letter === '\t' ? ' '.repeat(size > 0 ? size - (column % size) : 0) : letter
    column += shown.length
    return shown
  }).join('')
}
