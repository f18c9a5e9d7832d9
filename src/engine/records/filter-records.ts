/** A stream's filter × the records of a page → which of them are kept. */
import { ConnectorError } from '../../std/errors.ts'
import { plainNumbers } from '../../std/json.ts'
import { runCustom, instanceFor, type Instances } from '../custom/component.ts'
import { atOnce, describeKind, givenList } from '../custom/check-returned.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { FilterPlan } from '../plan/selector.ts'
import type { Slice } from '../slices/slice.ts'
import { isObject } from '../../std/values/objects.ts'
import { RecordFilter } from './record-classes.ts'
import { type PageScope, scopeOfRecord } from './record-scope.ts'

type KeepInput = { readonly scope: PageScope; readonly slice: Slice; readonly instances: Instances }

/** One answer per record, in their order. */
export function whichAreKept(
  plan: FilterPlan | null,
  records: readonly JsonRecord[],
  { scope, slice, instances }: KeepInput,
): boolean[] {
  if (plan === null) return records.map(() => true)
  if (plan.kind === 'condition') {
    const { keepIf, parameters } = plan
    return records.map((record) => keepIf.evaluate(scopeOfRecord(scope, parameters, record), 'boolean') === true)
  }
  const filter = instanceFor(instances, plan, RecordFilter)
  const shown = records.map((record) => plainNumbers(record) as JsonRecord)
  const kept = runCustom(
    plan,
    () => new Set(givenList<JsonRecord>(atOnce(filter.filter(shown, { slice })), 'a list of records')),
  )
  const known = new Set(shown)
  for (const record of kept) if (!known.has(record)) throw notGiven(plan, record)
  return shown.map((record) => kept.has(record))
}

function notGiven({ className, at }: Extract<FilterPlan, { kind: 'custom' }>, record: unknown): ConnectorError {
  const what = isObject(record) ? 'a record that it was not given' : `${describeKind(record)} for a record`
  return new ConnectorError('custom/class-failed', `\`${className}\` returns ${what}.`, {
    at,
    hint: 'A filter keeps or drops; a record transformation changes.',
  })
}
