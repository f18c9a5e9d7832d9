/** A place of an answer: where something was said, and how people read it. */

/** `['body', 'meta', 'total']`, `['header', 'x-total-count']` */
export type Place = readonly [from: 'body' | 'header', ...names: string[]]

/** `meta.total`, `header x-total-count` */
export function placeName([from, ...names]: Place): string {
  return from === 'header' ? `header ${names.join(' ')}` : names.join('.')
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index])
}
