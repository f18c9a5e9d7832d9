/** The first records of a read → the schema they fit. */
import { type Inferring, inferSchema } from '../../engine/records/infer-schema.ts'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import type { StreamPlan } from '../../engine/plan/stream.ts'
import { lengthOf } from './portion.ts'

/** Looking at every field of fifty megabytes would hold up every other request. */
const most = { records: 1_000, characters: 8_000_000, ofOne: 1_000_000 }

export function sampleSchema({ primaryKey, slicing: { cursor } }: StreamPlan): Pick<Inferring, 'add' | 'schema'> {
  const inferring = inferSchema({ required: [...primaryKey, ...(cursor === null ? [] : [[cursor.cursorField]])] })
  const left = { records: most.records, characters: most.characters }
  return {
    add(record: JsonRecord) {
      if (left.records === 0 || left.characters <= 0) return
      const length = lengthOf(record, most.ofOne)
      if (length > most.ofOne) return
      left.records--
      left.characters -= length
      inferring.add(record)
    },
    schema: () => inferring.schema(),
  }
}
