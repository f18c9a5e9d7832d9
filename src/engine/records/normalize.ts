/** `schema_normalization`: a record → the same record, as its stream's schema wants it. */
import { ConnectorError } from '../../std/errors.ts'
import { plainNumbers } from '../../std/json.ts'
import { runCustom, instanceFor, type Instances } from '../custom/component.ts'
import { kindOf } from '../custom/given.ts'
import type { JsonRecord, JsonSchema } from '../plan/plan.ts'
import type { NormalizationPlan } from '../plan/selector.ts'
import { fitToSchema, type Misfit } from './coerce.ts'
import { isObject } from '../../std/values/objects.ts'
import { SchemaNormalization } from './schema-classes.ts'

export type NormalizeInput = {
  readonly instances: Instances
  readonly onMisfit: (misfit: Misfit) => void
}

export function normalizeRecord(
  plan: NormalizationPlan,
  record: JsonRecord,
  schema: JsonSchema,
  { instances, onMisfit }: NormalizeInput,
): JsonRecord {
  switch (plan.kind) {
    case 'none':
      return record
    case 'cast':
      return fitToSchema(record, schema, { onMisfit }) as JsonRecord
    case 'custom': {
      const normalization = instanceFor(instances, plan, SchemaNormalization)
      const given: unknown = runCustom(plan, () => normalization.normalize(plainNumbers(record) as JsonRecord, schema))
      if (isObject(given)) return given
      const message = `\`${plan.className}\` makes ${kindOf(given)} of a record.`
      throw new ConnectorError('custom/class-failed', message, { at: plan.at })
    }
  }
}
