/** The base classes of a connector's own schemas, and of its own way to make records fit one. */
import { plainNumbers } from '../../std/json.ts'
import { CustomComponent } from '../custom/component.ts'
import { atOnce, unfit } from '../custom/given.ts'
import type { JsonRecord, JsonSchema } from '../plan/plan.ts'
import { castValue, fitToSchema } from './coerce.ts'

/**
 * Extend this in `source_<name>/<package>.ts` beside the manifest, where a stream's schema comes from elsewhere than a
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
 * Extend this in `source_<name>/<package>.ts` beside the manifest. Write `normalizeValue`, or `normalize` for the record
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
  /** The record, a copy, as it is handed on. */
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
