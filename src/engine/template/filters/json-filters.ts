/** `tojson` and `pprint`: values → text that shows them whole. */
import { isInt } from '../values/kind.ts'
import type { Value } from '../values/value.ts'
import { filters } from './filter.ts'
import { dumpJson } from './dump-json.ts'
import { prettyText } from './pretty-text.ts'

export const jsonFilters = filters({
  tojson: [
    'indent?',
    (input, args) => {
      const text = dumpJson(input, { sortsKeys: true, indent: indentOf(args.optional(0) ?? null) })
      // Jinja makes the text safe within HTML.
      return text.replace(/[<>&']/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)
    },
  ],
  pprint: ['', (input) => prettyText(input)],
})

function indentOf(value: Value): string | null {
  if (typeof value === 'string') return value
  return isInt(value) ? ' '.repeat(Math.min(Math.max(Number(value), 0), 100)) : null
}
