/** The base classes of a connector's own way to find, keep and change records. */
import { CustomComponent } from '../custom/component.ts'
import { atOnce, unfit } from '../custom/given.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { Slice } from '../slices/slice.ts'

/** What a class of the connector's own is told besides the records. */
export type RecordContext = {
  /** The part of the stream that is being read. */
  readonly slice: Slice
}

/**
 * Extend this in `source_<name>/<package>.ts` beside the manifest. Pagination counts what it gives. The body is a copy:
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
 * Extend this in `source_<name>/<package>.ts` beside the manifest. Write `keeps`, or `filter` where records have to be
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

  /** Those of one page that are handed on: each is one of the records given. */
  filter(records: readonly JsonRecord[], context: RecordContext): Iterable<JsonRecord> {
    return records.filter((record) => {
      const isKept: unknown = atOnce(this.keeps(record, context))
      if (typeof isKept === 'boolean') return isKept
      throw unfit(isKept, 'true or false')
    })
  }
}

/**
 * Extend this in `source_<name>/<package>.ts` beside the manifest. The record is a copy: it may be changed in place, or
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
