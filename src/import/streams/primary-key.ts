/** The fields of a record, and the path of one item → the field that identifies the record. */
import { identifierRank } from '../../proof/detection/record-lists.ts'
import { plainName, wordsOf } from '../../proof/names/name-style.ts'
import type { DescribedField } from '../description.ts'

export type KeyQuestion = {
  readonly fields: readonly DescribedField[]
  /** The parameter of the item's path: `order_id` of `/orders/{order_id}`; null where there is no such path. */
  readonly itemParameter: string | null
  /** The name of the list: `orders`. */
  readonly wanted: string
}

export function describedKey({ fields, itemParameter, wanted }: KeyQuestion): string | null {
  const plain = fields.filter(
    ({ type }) => type === 'string' || type === 'integer' || type === 'number' || type === null,
  )
  const names = plain.map(({ path }) => path[0] ?? '')
  const sure = names.find((name) => identifierRank(name) === 0) ?? names.find((name) => identifierRank(name) === 1)
  if (sure !== undefined) return sure
  // A wrong key would merge records: a parameter that only filters (`/players/{team}`) is none.
  if (itemParameter !== null && identifies.test(itemParameter)) {
    const same = names.find((name) => plainName(name) === plainName(itemParameter))
    if (same !== undefined) return same
  }
  // `order_id` of orders; `uuid`, `key`: only where the record must have it.
  const own = names.find((name) => isOwnId(name, wanted))
  if (own !== undefined) return own
  return plain.find(({ path, isRequired }) => isRequired && identifierRank(path[0] ?? '') === 2)?.path[0] ?? null
}

const identifies = /(id|uuid|guid|key|slug|code|sku|number|handle)$/i

function singular(name: string): string {
  return name
    .replace(/ies$/, 'y')
    .replace(/(s|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1')
}

function isOwnId(name: string, wanted: string): boolean {
  const words = wordsOf(name)
  if (words.length < 2 || !/^(id|uuid|guid)$/.test(words.at(-1) ?? '')) return false
  const owner = words.slice(0, -1).join('')
  return [plainName(wanted), singular(plainName(wanted))].includes(owner)
}

/** Only such a value is another one for each parent: other ids may be counted anew for each. */
export function isUniqueEverywhere(name: string, fields: readonly DescribedField[]): boolean {
  return fields.some(({ path, format }) => path.length === 1 && path[0] === name && format?.toLowerCase() === 'uuid')
}

/** The field of a parent's record that fills this parameter of a path, and whether that is more than a guess. */
export function fieldFor(
  parameter: string,
  fields: readonly DescribedField[],
  key: string | null,
): { readonly field: string; readonly isSure: boolean } | null {
  const names = fields.map(({ path }) => path[0] ?? '')
  const same = names.find((name) => plainName(name) === plainName(parameter))
  if (same !== undefined) return { field: same, isSure: true }
  const last = wordsOf(parameter).at(-1) ?? ''
  const ending = names.find((name) => plainName(name) === last)
  if (ending !== undefined) return { field: ending, isSure: true }
  return key === null ? null : { field: key, isSure: false }
}
