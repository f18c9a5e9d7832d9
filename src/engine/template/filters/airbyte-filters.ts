/** The filters Airbyte adds to Jinja's: hash, hmac, base64…, string, regex_…. */
import { base64Text, base64ToText } from '../base64.ts'
import { digestOf, hmacSha256 } from '../hashing.ts'
import { replacePattern, searchPattern } from '../patterns.ts'
import { failed, needs, wrongType } from '../trouble.ts'
import { str } from '../values/python-text.ts'
import { truthy } from '../values/equality.ts'
import { usedUndefined } from '../values/undefined.ts'
import type { Value } from '../values/value.ts'
import { dumpJson } from './dump-json.ts'
import { filters } from './filter.ts'

function text(input: Value, what: string): string {
  if (typeof input === 'string') return input
  usedUndefined(input)
  throw needs(`\`| ${what}\``, 'a str', input)
}

export const airbyteFilters = filters({
  hash: [
    'hash_type? salt?',
    (input, args) => {
      const name = args.optionalText(0) ?? 'md5'
      const salt = args.optional(1) ?? null
      const digest = digestOf(name, str(input) + (truthy(salt) ? str(salt) : ''))
      if (digest === null) throw wrongType(`there is no hash function \`${name.slice(0, 40)}\``)
      return digest
    },
  ],
  hmac: [
    'key hash_type?',
    (input, args) => {
      const type = args.optional(1) ?? 'sha256'
      if (type !== 'sha256') throw failed('`| hmac` knows sha256 only')
      return hmacSha256(str(args.value(0)), str(input))
    },
  ],
  base64encode: ['', (input) => base64Text(text(input, 'base64encode'))],
  base64decode: ['', (input) => base64ToText(text(input, 'base64decode'))],
  // Airbyte: despite its name this one encodes.
  base64binascii_decode: ['', (input) => base64Text(ascii(text(input, 'base64binascii_decode')))],
  // Airbyte: the three quotes make literal evaluation give the text back unchanged.
  string: [
    '',
    (input) => (typeof input === 'string' ? input : `"""${dumpJson(input, { sortsKeys: false, indent: null })}"""`),
  ],
  regex_search: ['regex', (input, args) => searchPattern(args.text(0), strictText(input, 'regex_search'))],
  regex_replace: [
    'regex replacement',
    (input, args) => replacePattern(args.text(0), args.text(1), strictText(input, 'regex_replace')),
  ],
})

// Python: these two say nothing of undefined values, only that they are no str.
function strictText(input: Value, what: string): string {
  if (typeof input === 'string') return input
  throw needs(`\`| ${what}\``, 'a str', input)
}

function ascii(content: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/[^\x00-\x7f]/.test(content)) throw failed('the string has characters outside of ASCII')
  return content
}
