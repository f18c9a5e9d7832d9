/** Fields that transformations make → the fields of a response that they are made from. */
import type { Component } from '../../engine/manifest/manifest.ts'
import { dateNearNow, dateText, now, start, usualFormats } from './calendar.ts'
import { componentsInside, textField } from './find-components.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { parametersOf } from '../../engine/plan/read-fields.ts'
import type { Cursor } from './cursor.ts'
import { evaluateAtFixedTime } from './evaluate-at-fixed-time.ts'
import { type MirrorPath, putValue } from './put-value.ts'
import { type Known, readsOf } from './template-reads.ts'

export type AddedField = {
  readonly path: MirrorPath
  readonly value: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly component: Component
}

export function addedFields(transformations: readonly Component[]): AddedField[] {
  return transformations.flatMap((transformation) =>
    componentsInside(transformation)
      .filter(({ type }) => type === 'AddedFieldDefinition')
      .map((component) => ({
        path: (component.path as string[] | undefined) ?? [],
        value: textField(component, 'value'),
        parameters: { ...parametersOf(transformation), ...parametersOf(component) },
        component,
      })),
  )
}

/** Paths within the record that a template reads. */
export function recordReads(template: string, known: Known): MirrorPath[] {
  const { reads } = readsOf(template, known)
  return leavesOf(reads.filter(({ root, path }) => root === 'record' && path.length > 0).map(({ path }) => path))
}

/** Paths that lead to a value; those that only lead on to others go with them. */
export function leavesOf(paths: readonly MirrorPath[]): MirrorPath[] {
  const unique = [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()]
  const leadsTo = (path: MirrorPath, other: MirrorPath) =>
    other.length > path.length && path.every((key, index) => other[index] === key)
  return unique.filter((path) => !unique.some((other) => leadsTo(path, other)))
}

/** A field that a transformation makes is as good as what it is made from. */
export function sourcesOf(
  [name, ...rest]: MirrorPath,
  transformations: readonly Component[],
  config: Config,
): MirrorPath[] {
  if (rest.length > 0 || name === undefined) return []
  const flattened = transformations
    .filter(({ type }) => type === 'DpathFlattenFields')
    .map(({ field_path }) => [...(field_path as string[]).map((key) => (key === '*' ? 'any' : key)), name])
  const added = addedFields(transformations).filter(({ path }) => path.length === 1 && path[0] === name)
  return [...flattened, ...added.flatMap(({ value, parameters }) => recordReads(value, { config, parameters }))]
}

/** Where a record's time is to be written, and how. */
export type TimeField = { readonly path: MirrorPath; readonly write: Cursor['valueAt'] }

export function timesOf(cursor: Cursor, transformations: readonly Component[], config: Config): TimeField[] {
  const own = { path: [cursor.field], write: cursor.valueAt }
  const format = writtenAs(cursor, transformations, config)
  const write = format === null ? cursor.valueAt : (at: number) => dateText(at, format)
  return [own, ...sourcesOf(own.path, transformations, config).map((path) => ({ path, write }))]
}

/** The format from which the transformation makes a date in the cursor's own; null where that is the cursor's own. */
function writtenAs(cursor: Cursor, transformations: readonly Component[], config: Config): string | null {
  const middle = (start + now) / 2
  const [added] = addedFields(transformations).filter(({ path }) => path.length === 1 && path[0] === cursor.field)
  if (added === undefined) return null
  const { value, parameters } = added
  const { constants } = readsOf(value)
  const named = constants.filter((text) => typeof text === 'string').filter((text) => text.includes('%'))
  const isDate = (made: unknown) => cursor.formats.some((format) => dateNearNow(String(made), format) !== null)
  const works = (write: (at: number) => string | number) => {
    const record = recordReads(value, { config, parameters }).reduce(
      (known: unknown, path) => putValue(known, path, write(middle)),
      {},
    )
    try {
      return isDate(
        evaluateAtFixedTime(value, {
          config,
          parameters,
          record,
          stream_slice: {},
          stream_partition: {},
          stream_interval: {},
        }),
      )
    } catch {
      return false
    }
  }
  if (works((at) => cursor.valueAt(at, 1))) return null
  return [...named, ...usualFormats].find((format) => works((at) => dateText(at, format))) ?? null
}
