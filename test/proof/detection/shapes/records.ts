/** A shape → its records, in the order of its pages. */
import { createHash } from 'node:crypto'
import type { FieldKind, RecordShape, Shape } from './shape.ts'

export type ShapeRecord = Readonly<Record<string, unknown>>

export function recordsOf({ records: shape, seed, path }: Shape): ShapeRecord[] {
  return Array.from({ length: shape.count }, (_, index) => recordAt(shape, index, { seed, path }))
}

type Origin = { readonly seed: number; readonly path: string }

function recordAt(shape: RecordShape, index: number, origin: Origin): ShapeRecord {
  const id = idAt(shape, index, origin.seed)
  const named = shape.id === null ? {} : { [shape.id.name]: id }
  const fields = Object.fromEntries(shape.fields.map(({ name, kind }) => [name, valueOf(kind, index, origin)] as const))
  switch (shape.dress) {
    case 'plain':
      return { ...named, ...fields }
    case 'json-api':
      return { type: 'thing', ...named, attributes: fields, links: { self: `${origin.path}/${id}` } }
    case 'hal':
      return { ...named, ...fields, _links: { self: { href: `${origin.path}/${id}` } } }
    case 'edge':
      return { cursor: hashOf(`${origin.seed} cursor ${index}`).slice(0, 12), node: { ...named, ...fields } }
  }
}

/** Unique, whatever its order. */
export function idAt({ id, order, count }: RecordShape, index: number, seed: number): string | number {
  const place = order === 'descending' ? count - 1 - index : order === 'ascending' ? index : scattered(index, count)
  switch (id?.kind) {
    case 'uuid': {
      const hash = hashOf(`${seed} ${place}`)
      return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
    }
    case 'text':
      return `${'abcdefgh'[seed % 8]}_${hashOf(`${seed} ${place}`).slice(0, 14)}`
    default:
      return 1_000 + place * 3
  }
}

/** A permutation of the positions that looks like none: a step that shares no factor with their number. */
function scattered(index: number, count: number): number {
  let step = Math.floor(count * 0.618) | 1
  while (divisorOf(step, count) > 1) step += 2
  return (index * step + 1) % count
}

function divisorOf(one: number, other: number): number {
  return other === 0 ? one : divisorOf(other, one % other)
}

function valueOf(kind: FieldKind, index: number, { seed, path }: Origin): unknown {
  const hash = hashOf(`${seed} ${kind} ${index}`)
  const number = Number.parseInt(hash.slice(0, 6), 16)
  switch (kind) {
    case 'name':
      return `${hash.slice(0, 5)} ${index}`
    case 'status':
      return ['open', 'paid', 'closed'][number % 3]
    case 'amount':
      return (number % 90_000) / 100
    case 'time':
      return new Date(1_700_000_000_000 + number * 997).toISOString()
    case 'next-date':
      return `2027-0${1 + (number % 9)}-1${number % 10}`
    case 'next-number':
      return 2 + (number % 40)
    case 'small-number':
      return number % 7
    case 'flag':
      return number % 2 === 0
    case 'token':
      return hash.slice(0, 20)
    case 'url':
      return `https://shop.example${path}/${hash.slice(0, 8)}`
    case 'list':
      return Array.from({ length: number % 4 }, (_, line) => ({ id: line + 1, sku: hash.slice(line, line + 6) }))
    case 'long-text':
      return `${hash} `.repeat(24)
  }
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
