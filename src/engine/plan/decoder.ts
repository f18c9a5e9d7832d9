/** `decoder` and `download_decoder` → how the bytes of a response become a value or a list of items. */
import { ConnectorError } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { Component } from '../manifest/manifest.ts'
import { componentIn, type PlanInput, requiredComponentIn, unsupported, planCustom } from './read-fields.ts'

export type DecoderPlan =
  /** One value. */
  | { readonly kind: 'json' }
  | { readonly kind: 'xml' }
  /** A list of items, which may be longer than memory. */
  | JsonLinesPlan
  | JsonItemsPlan
  | CsvPlan
  | LinesPlan
  /** Packed: whatever is inside. */
  | { readonly kind: 'gzip'; readonly inner: DecoderPlan }
  | { readonly kind: 'zip'; readonly inner: DecoderPlan }
  | ({ readonly kind: 'custom' } & CustomPlan)

/** Whether the value of a response is the list of its items. */
export function hasItems(plan: DecoderPlan): boolean {
  switch (plan.kind) {
    case 'json':
    case 'xml':
      return false
    case 'gzip':
      return hasItems(plan.inner)
    case 'json-lines':
    case 'json-items':
    case 'csv':
    case 'lines':
    // An archive may hold several files.
    case 'zip':
    case 'custom':
      return true
  }
}

export type JsonLinesPlan = { readonly kind: 'json-lines' }

/** Each line of text as `{ record: line }`. */
export type LinesPlan = { readonly kind: 'lines' }

/** The members of one list inside a JSON document. */
export type JsonItemsPlan = {
  readonly kind: 'json-items'
  /** Names joined by dots; `item` means the members of a list on the way. */
  readonly path: string
  readonly encoding: string
}

export type CsvPlan = {
  readonly kind: 'csv'
  readonly delimiter: string
  /** As `TextDecoder` names it. */
  readonly encoding: string
  /** Values that mean null. */
  readonly nulls: readonly string[]
}

/** JSON where the manifest names no decoder. */
export function planDecoder(input: PlanInput, component: Component | null): DecoderPlan {
  if (component === null) return { kind: 'json' }
  switch (component.type) {
    case 'JsonDecoder':
      return { kind: 'json' }
    case 'XmlDecoder':
      return { kind: 'xml' }
    case 'JsonlDecoder':
      return { kind: 'json-lines' }
    case 'IterableDecoder':
      return { kind: 'lines' }
    case 'JsonItemsDecoder':
      return { kind: 'json-items', path: itemsPathOf(input, component), encoding: encodingOf(input, component) }
    case 'CsvDecoder': {
      const nulls = (component.set_values_to_none as readonly string[] | null | undefined) ?? []
      return { kind: 'csv', delimiter: delimiterOf(input, component), encoding: encodingOf(input, component), nulls }
    }
    case 'GzipDecoder':
      return { kind: 'gzip', inner: planDecoder(input, requiredComponentIn(input, component, 'decoder')) }
    case 'ZipfileDecoder':
      return { kind: 'zip', inner: planDecoder(input, requiredComponentIn(input, component, 'decoder')) }
    case 'CustomDecoder':
      return { kind: 'custom', ...planCustom(input, component) }
    default:
      throw unsupported(input, component)
  }
}

function itemsPathOf(input: PlanInput, component: Component): string {
  const path = textField(component, 'items_path')
  if (path !== '') return path
  throw invalid(input, component, 'items_path', 'is empty; it names the list, as in `data.users`')
}

function encodingOf(input: PlanInput, component: Component): string {
  const name = textField(component, 'encoding') || 'utf-8'
  const label = textEncodingOf(name)
  if (label !== null) return label
  throw invalid(input, component, 'encoding', `is ${JSON.stringify(name)}, an encoding that is not known`)
}

/** Airbyte: an escape such as `\t` may be written out. */
function delimiterOf(input: PlanInput, component: Component): string {
  const written = textField(component, 'delimiter') || ','
  const delimiter = written.startsWith('\\') ? unescaped(written) : written
  if (/^[^"\r\n\uFEFF]$/u.test(delimiter)) return delimiter
  throw invalid(input, component, 'delimiter', `is ${JSON.stringify(written)}; one character is needed`)
}

const escapes: Readonly<Record<string, string>> = {
  '\\t': '\t',
  '\\n': '\n',
  '\\r': '\r',
  '\\v': '\v',
  '\\f': '\f',
  '\\b': '\b',
  '\\a': '\u0007',
  '\\0': '\0',
  '\\\\': '\\',
  "\\'": "'",
}

/** Python: what is no escape stays as it is written. */
function unescaped(written: string): string {
  const hex = /^\\(?:x([\da-f]{2})|u([\da-f]{4})|U000([\da-f]{5}))$/i.exec(written)
  const digits = hex?.[1] ?? hex?.[2] ?? hex?.[3]
  if (digits !== undefined) return String.fromCodePoint(Number.parseInt(digits, 16))
  return Object.hasOwn(escapes, written) ? (escapes[written] as string) : written
}

function textField(component: Component, field: string): string {
  const value: unknown = component[field]
  return typeof value === 'string' ? value : ''
}

function invalid(input: PlanInput, component: Component, field: string, wrong: string): ConnectorError {
  const at = input.manifest.at(component, field)
  return new ConnectorError('manifest/invalid-value', `\`${field}\` of ${component.type} ${wrong}.`, { at })
}

/** What pandas takes for a missing value, and Airbyte's extractor with it. */
const missing =
  '#N/A|#N/A N/A|#NA|-1.#IND|-1.#QNAN|-NaN|-nan|1.#IND|1.#QNAN|<NA>|N/A|NA|NULL|NaN|None|n/a|nan|null'.split('|')

/** Airbyte: `ResponseToFileExtractor` reads CSV, packed or not, whatever decoder the retriever names. */
export function planDownloadDecoder(input: PlanInput, retriever: Component): DecoderPlan {
  const extractor = componentIn(retriever, 'download_extractor')
  if (extractor?.type !== 'ResponseToFileExtractor') {
    return planDecoder(input, componentIn(retriever, 'download_decoder'))
  }
  const nulls = extractor.preserve_na_values === true ? [''] : ['', ...missing]
  return { kind: 'gzip', inner: { kind: 'csv', delimiter: ',', encoding: 'utf-8', nulls } }
}

/** Latin-1 proper, each byte its own character: on the web this name means Windows-1252. */
export const latin1 = 'iso-8859-1'

/** Names that only Python knows, spelled with `-`. */
const pythonNames: Readonly<Record<string, string>> = {
  utf: 'utf-8',
  u8: 'utf-8',
  'utf-8-sig': 'utf-8',
  ascii: 'utf-8',
  'us-ascii': 'utf-8',
  'utf-16-le': 'utf-16le',
  'utf-16-be': 'utf-16be',
  utf16: 'utf-16le',
  latin: latin1,
  'latin-1': latin1,
  latin1,
  l1: latin1,
  '8859': latin1,
  'iso8859-1': latin1,
  'iso-8859-1': latin1,
  cp819: latin1,
  'latin-2': 'iso-8859-2',
  'latin-9': 'iso-8859-15',
  cp866: 'ibm866',
  cp932: 'shift_jis',
  'shift-jis': 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  'mac-roman': 'macintosh',
}

/** @example textEncodingOf('utf_8_sig') // 'utf-8' */
export function textEncodingOf(name: string): string | null {
  const spelled = name
    .trim()
    .toLowerCase()
    .replaceAll(/[_\s]+/g, '-')
  if (Object.hasOwn(pythonNames, spelled)) return pythonNames[spelled] as string
  const [, page] = /^(?:cp|windows-)?(125\d|874)$/.exec(spelled) ?? []
  return labelOf(page === undefined ? spelled : `windows-${page}`)
}

function labelOf(name: string): string | null {
  try {
    return new TextDecoder(name).encoding
  } catch {
    return null
  }
}
