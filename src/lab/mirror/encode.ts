/** A decoded body → bytes that the retriever's decoder accepts. */
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import type { Component } from '../../engine/manifest/manifest.ts'
import type { MirrorResponse } from './mirror-request.ts'
import { asComponent } from './find-components.ts'
import { isObject } from '../../std/values/objects.ts'

export function encoded(
  decoder: Component | null,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): MirrorResponse {
  return { headers: { ...headers, ...contentTypeOf(decoder) }, body: bodyFor(decoder, body) }
}

function bodyFor(decoder: Component | null, body: unknown): unknown {
  const inner = () => bodyBytes(bodyFor(asComponent(decoder?.decoder), body))
  switch (decoder?.type) {
    case 'GzipDecoder':
      return gzipSync(inner())
    case 'ZipfileDecoder':
      return zipSync({ 'part.txt': inner() })
    case 'JsonlDecoder':
      return rowsIn(body)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join('')
    case 'IterableDecoder':
      return rowsIn(body)
        .map((_, index) => `line-${index}\n`)
        .join('')
    case 'CsvDecoder':
      return csvOf(rowsIn(body), delimiterOf(decoder))
    case 'XmlDecoder':
      return `<?xml version="1.0"?>${xmlOf(isObject(body) ? body : { root: { item: body } })}`
    default:
      return body
  }
}

function contentTypeOf(decoder: Component | null): Record<string, string> {
  return decoder?.type === 'XmlDecoder' ? { 'content-type': 'application/xml' } : {}
}

export function bodyBytes(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function rowsIn(body: unknown): unknown[] {
  return Array.isArray(body) ? body : [body]
}

function delimiterOf({ delimiter }: Component): string {
  return typeof delimiter === 'string' ? delimiter.replaceAll('\\t', '\t') : ','
}

function csvOf(rows: readonly unknown[], delimiter: string): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row as object)))]
  const lines = rows.map((row) => names.map((name) => cell((row as Record<string, unknown>)[name])).join(delimiter))
  return [names.map(cell).join(delimiter), ...lines, ''].join('\n')
}

function cell(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value ?? null) ?? '').replace(/^null$/, '')
  return `"${text.replaceAll('"', '""')}"`
}

function xmlOf(value: unknown): string {
  if (!isObject(value)) return escaped(typeof value === 'string' ? value : JSON.stringify(value ?? ''))
  return Object.entries(value)
    .flatMap(([name, member]) => [member].flat().map((one) => `<${tag(name)}>${xmlOf(one)}</${tag(name)}>`))
    .join('')
}

function tag(name: string): string {
  return name.replaceAll(/[^\w.-]/g, '_').replace(/^(?=[\d.-])/, '_')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
