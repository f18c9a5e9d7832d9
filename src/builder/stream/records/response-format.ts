/** The formats of a response: what each is called, and what its decoder starts with in the manifest. */
import type { decoders } from '../../../engine/manifest/table/records.ts'
import { isObject } from '../../../std/values/objects.ts'

export type DecoderType = (typeof decoders)[number]

type FormatFacts = { readonly label: string; readonly help: string; readonly start?: Readonly<Record<string, unknown>> }

export const formats: Record<DecoderType, FormatFacts> = {
  JsonDecoder: { label: 'JSON', help: 'The response is one JSON value.' },
  JsonlDecoder: { label: 'JSON lines', help: 'Each line of the response is a JSON value.' },
  JsonItemsDecoder: {
    label: 'JSON, one list of it',
    help: 'One list of a large JSON response is read item by item, without holding the whole in memory.',
    start: { items_path: '' },
  },
  CsvDecoder: { label: 'CSV', help: 'Each row is a record; the first row has the names of its fields.' },
  XmlDecoder: {
    label: 'XML',
    help: 'Elements become fields: `rss.channel.item`. Attributes start with `@`, text next to them is `#text`.',
  },
  IterableDecoder: { label: 'Lines of text', help: 'Each line is a record with the one field `record`.' },
  GzipDecoder: { label: 'Gzip', help: 'The response is a gzip file.', start: { decoder: { type: 'JsonDecoder' } } },
  ZipfileDecoder: { label: 'ZIP', help: 'The response is a ZIP file.', start: { decoder: { type: 'JsonDecoder' } } },
  CustomDecoder: { label: 'Custom class', help: 'A class decodes the response.', start: { class_name: '' } },
}

/** What may be inside a gzip or ZIP file. */
const packed: readonly DecoderType[] = ['JsonDecoder', 'JsonlDecoder', 'JsonItemsDecoder', 'CsvDecoder', 'GzipDecoder']

export function formatChoices(isPacked: boolean): { readonly value: string; readonly label: string }[] {
  const types = isPacked ? packed : (Object.keys(formats) as DecoderType[])
  return types.map((value) => ({ value, label: formats[value].label }))
}

export function newDecoder(type: DecoderType): Record<string, unknown> {
  return { type, ...formats[type].start }
}

/** JSON where the manifest names none; null where it names one that the form does not know. */
export function responseFormatOf(decoder: unknown): DecoderType | null {
  if (decoder === undefined || decoder === null) return 'JsonDecoder'
  const { type, class_name: className } = isObject(decoder) ? decoder : {}
  if (type === undefined && className !== undefined) return 'CustomDecoder'
  return typeof type === 'string' && Object.hasOwn(formats, type) ? (type as DecoderType) : null
}

/** Whether each item of the response is given to the selector on its own. */
export function isItems(type: DecoderType | null): boolean {
  return type === 'CsvDecoder' || type === 'JsonlDecoder' || type === 'JsonItemsDecoder' || type === 'IterableDecoder'
}

/** An XML response that was read without a path: its one record is the whole document, named after its first element. */
export function documentIn(text: string, records: readonly unknown[]): Readonly<Record<string, unknown>> | null {
  const [, root] = /<([^\s<>/!?]+)/u.exec(text.replaceAll(/<!--.*?-->|<!DOCTYPE[^>]*>/gsu, '')) ?? []
  const [record, ...others] = records
  if (root === undefined || others.length > 0 || !isObject(record)) return null
  return Object.keys(record).join() === root ? record : null
}
