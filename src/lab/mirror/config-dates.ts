/** Which fields of a config are dates, and in which formats the manifest expects them. */
import type { Manifest } from '../../engine/manifest/manifest.ts'
import { connectionSpecification } from '../../engine/plan/config.ts'
import { dateText, formatOf, start, usualFormats } from './calendar.ts'
import { componentsInside } from './find-components.ts'
import { isObject } from '../../std/values/objects.ts'
import { schemaPattern } from '../../std/text/schema-pattern.ts'
import { readsOf } from './template-reads.ts'

export type DateFormats = ReadonlyMap<string, readonly string[]>

/** Field name → formats, the likeliest first: what a cursor parses it with, the form of its example, what its pattern accepts. */
export function dateFormatsOf(manifest: Manifest): DateFormats {
  const direct = parsedWith(manifest)
  const formats = new Map<string, string[]>()
  for (const [name, schema] of fieldsOf(connectionSpecification(manifest))) {
    const parsed = direct.get(name) ?? []
    const examples = [schema.default, schema.examples].flat().flatMap((one) => formatOf(String(one)) ?? [])
    const declared = schema.format === 'date' ? ['%Y-%m-%d'] : []
    formats.set(name, [...parsed, ...examples, ...declared, ...usualFormats])
  }
  return formats
}

/** By its format, its pattern, its examples, or its name. */
export function isDateField(name: string, schema: Readonly<Record<string, unknown>>, formats: DateFormats): boolean {
  if (schema.format === 'date' || schema.format === 'date-time') return true
  const { pattern } = schema
  if (typeof pattern === 'string' && /\{4\}.*\{2\}/.test(pattern)) return true
  const isNamedSo = /(?:^|_)(?:start|end|since|from|until)(?:_|$)|date/i.test(name)
  const examples = [schema.default, schema.examples].flat().filter((one) => one !== undefined)
  if (examples.length > 0)
    return examples.some((one) => typeof one === 'string' && /^\d{4}-?\d\d/.test(one) && formatOf(one) !== null)
  return (
    isNamedSo &&
    (schema.type === 'string' || schema.type === undefined) &&
    (typeof pattern !== 'string' || usualFormats.some((format) => fitsPattern(pattern, format))) &&
    formats.has(name)
  )
}

function fitsPattern(pattern: string, format: string): boolean {
  return schemaPattern(pattern)?.test(dateText(start, format)) ?? false
}

/** Fields that a cursor's dates take as they are, with the format they are parsed with. */
export function parsedWith(manifest: Manifest): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const note = (template: unknown, format: unknown) => {
    const name = typeof template === 'string' ? configField(template) : null
    if (name === null || typeof format !== 'string' || format === '') return
    found.set(name, [...(found.get(name) ?? []), format])
  }
  for (const component of componentsInside(manifest.root)) {
    for (const field of ['start_datetime', 'end_datetime']) {
      const date = component[field]
      if (isObject(date)) note(date.datetime, date.datetime_format ?? component.datetime_format)
      else note(date, component.datetime_format)
    }
  }
  return found
}

/** The field that a template gives as it is, with a default or without. */
function configField(template: string): string | null {
  if (!/^\s*\{\{\s*\(?\s*config\b/.test(template)) return null
  const names = readsOf(template)
    .reads.filter(({ root, path }) => root === 'config' && path.length > 0)
    .map(({ path }) => String(path.at(-1)))
  return names[0] ?? null
}

function fieldsOf(schema: unknown): [string, Readonly<Record<string, unknown>>][] {
  if (!isObject(schema)) return []
  const own = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const members = own.flatMap(([name, member]) =>
    isObject(member) ? [[name, member] as [string, Record<string, unknown>]] : [],
  )
  const branches = [schema.oneOf, schema.anyOf, schema.allOf].flat()
  return [...members, ...members.flatMap(([, member]) => fieldsOf(member)), ...branches.flatMap(fieldsOf)]
}
