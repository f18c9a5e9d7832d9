/** The base classes of custom extractors, filters, transformations, schema loaders and normalizations. */
import { CustomComponent, type Wanted } from '../custom/component.ts'
import { atOnce, unfit } from '../custom/check-returned.ts'
import type { JsonRecord, JsonSchema } from '../plan/plan.ts'
import type { Slice } from '../slices/slice.ts'
import { plainNumbers } from '../../std/json.ts'
import { castValue, fitToSchema } from './coerce.ts'
import { extractorClassesIn, type FilterPlan, type SelectorPlan } from '../plan/selector.ts'
import type { TransformationPlan } from '../plan/transformations.ts'

/** What a custom class receives in addition to the records. */
export type RecordContext = {
  /** The part of the stream that is being read. */
  readonly slice: Slice
}

/**
 * Extend this in `source_<name>/<package>.ts` next to the manifest. Pagination counts what it gives. The body is a copy:
 * what is changed in it changes nothing else.
 *
 * ```ts
 * export class Columns extends RecordExtractor {
 *   *extract(body: unknown) {
 *     const { columns, rows } = body as { columns: string[]; rows: unknown[][] }
 *     for (const row of rows) yield Object.fromEntries(columns.map((name, index) => [name, row[index]]))
 *   }
 * }
 * ```
 */
export abstract class RecordExtractor extends CustomComponent {
  /** The records in a decoded body. */
  abstract extract(body: unknown, context: RecordContext): Iterable<JsonRecord>
}

/**
 * Extend this in `source_<name>/<package>.ts` next to the manifest. Write `keeps`, or `filter` where records have to be
 * compared with each other.
 *
 * ```ts
 * export class Recent extends RecordFilter {
 *   override keeps({ year }: JsonRecord) {
 *     return Number(year) >= Number(this.config['first_year'])
 *   }
 * }
 * ```
 */
export abstract class RecordFilter extends CustomComponent {
  keeps(_record: JsonRecord, _context: RecordContext): boolean {
    return true
  }

  /** The records of one page to keep: each is one of the records given. */
  filter(records: readonly JsonRecord[], context: RecordContext): Iterable<JsonRecord> {
    return records.filter((record) => {
      const isKept: unknown = atOnce(this.keeps(record, context))
      if (typeof isKept === 'boolean') return isKept
      throw unfit(isKept, 'true or false')
    })
  }
}

/**
 * Extend this in `source_<name>/<package>.ts` next to the manifest. The record is a copy: it may be changed in place, or
 * another one given back.
 *
 * ```ts
 * export class FullName extends RecordTransformation {
 *   transform(record: JsonRecord) {
 *     return { ...record, name: `${record['first']} ${record['last']}` }
 *   }
 * }
 * ```
 */
export abstract class RecordTransformation extends CustomComponent {
  abstract transform(record: JsonRecord, context: RecordContext): JsonRecord | void
}

/**
 * Extend this in `source_<name>/<package>.ts` next to the manifest, where a stream's schema comes from elsewhere than a
 * file or the manifest.
 *
 * ```ts
 * export class Columns extends SchemaLoader {
 *   jsonSchema(): JsonSchema {
 *     const names = this.config['columns'] as string[]
 *     return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) }
 *   }
 * }
 * ```
 */
export abstract class SchemaLoader extends CustomComponent {
  /** The schema of the stream's records. */
  abstract jsonSchema(context: SchemaContext): JsonSchema | Promise<JsonSchema>
}

export type SchemaContext = { readonly streamName: string }

/**
 * Extend this in `source_<name>/<package>.ts` next to the manifest. Write `normalizeValue`, or `normalize` for the record
 * as a whole. `super` casts as `schema_normalization: Default` does.
 *
 * ```ts
 * export class Percentages extends SchemaNormalization {
 *   override normalizeValue(value: unknown, schema: JsonSchema) {
 *     const isPercentage = schema['type'] === 'number' && typeof value === 'string' && value.endsWith('%')
 *     return isPercentage ? Number.parseFloat(value) / 100 : super.normalizeValue(value, schema)
 *   }
 * }
 * ```
 */
export abstract class SchemaNormalization extends CustomComponent {
  /** The record, a copy, after normalization. */
  normalize(record: JsonRecord, schema: JsonSchema): JsonRecord {
    return fitToSchema(record, schema, { cast: (value, inner) => castBy(this, value, inner) }) as JsonRecord
  }

  /** One value and the part of the schema that is about it. What is inside an object or a list comes after it. */
  normalizeValue(value: unknown, schema: JsonSchema): unknown {
    return plainNumbers(castValue(value, schema))
  }
}

/** Nothing would take the field out of the record: a `return` that was forgotten. */
function castBy(normalization: SchemaNormalization, value: unknown, schema: JsonSchema): unknown {
  const cast = atOnce(normalization.normalizeValue(value, schema))
  if (cast === undefined && value !== undefined) throw unfit(cast, 'a value')
  return cast
}

export function selectorClasses({ extractor, filter, transformations, normalization }: SelectorPlan): Wanted[] {
  return [
    ...extractorClassesIn(extractor).map((one): Wanted => [one, RecordExtractor]),
    ...filterClasses(filter),
    ...changeClasses(transformations),
    ...(normalization.kind === 'custom' ? [[normalization, SchemaNormalization] as const] : []),
  ]
}

export function filterClasses(filter: FilterPlan | null): Wanted[] {
  return filter?.kind === 'custom' ? [[filter, RecordFilter]] : []
}

export function changeClasses(transformations: readonly TransformationPlan[]): Wanted[] {
  return transformations.flatMap((plan) => (plan.kind === 'custom' ? [[plan, RecordTransformation] as const] : []))
}
