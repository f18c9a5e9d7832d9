/** Decoded response → records: find the list, count it, filter it, change it. */
import { ConnectorError } from '../../std/errors.ts'
import { type ParsedJson, plainNumbers, withPlainNumbers } from '../../std/json.ts'
import { hasItems } from '../plan/decoder.ts'
import { type Instances, instanceFor, runCustom } from '../custom/component.ts'
import type { Config, JsonRecord, JsonSchema } from '../plan/plan.ts'
import type { StreamPlan } from '../plan/stream.ts'
import type { ExtractorPlan, NormalizationPlan, SelectorPlan } from '../plan/selector.ts'
import { type Slice, sliceForTemplates } from '../slices/slice.ts'
import { describeValue } from '../template/text.ts'
import { type Misfit, fitToSchema } from './coerce.ts'
import type { Lists } from './expand.ts'
import { extract } from './extract.ts'
import type { ListState } from '../../std/values/find-list.ts'
import { whichAreKept } from './filter-records.ts'
import { isObject } from '../../std/values/objects.ts'
import type { PageScope } from './record-scope.ts'
import { type TransformInput, transformRecord } from './transform.ts'
import { atOnce, describeKind, recordAsJson } from '../custom/check-returned.ts'
import { SchemaNormalization } from './record-classes.ts'

export type Selection = {
  /** The records of the page: filtered and transformed. */
  readonly records: JsonRecord[]
  /** What the API sent, counted before any filter and any expansion: pagination uses this. */
  readonly receivedCount: number
  /** Everything received, transformed, kept or not: cursors are read from these. */
  readonly received: readonly JsonRecord[]
  /** Which of those received are kept; null when all are. */
  readonly isKept: readonly boolean[] | null
  readonly list: PageList
  /** Of properties requested in several groups: how many records some group does not have; absent where each group has all. */
  readonly lacking?: number
  /** How many lists inside what the API sent lack items, as it says; absent where none does. */
  readonly truncated?: number
}

/** Whether a page has the list of records; `ignored` where a rule of the manifest accepts a response that need not have it. */
export type PageList = ListState | 'ignored'

export function selectNothing(list: PageList): Selection {
  return { records: [], receivedCount: 0, received: [], isKept: null, list }
}

/** What selecting needs in addition to its plan, made once for a stream. */
export type RecordTools = {
  readonly instances: Instances
  /** What records are made to fit; null where they stay as they are. */
  readonly schema: JsonSchema | null
  readonly onMisfit: (misfit: Misfit) => void
  /** Reads lists that are cut short in a body; absent where the manifest does not say how. */
  readonly readLists?: ((body: unknown) => Promise<Lists>) | undefined
}

type SelectInput = {
  readonly stream: StreamPlan
  readonly config: Config
  readonly slice: Slice
  readonly decoded: ParsedJson
  /** Lists of the body that were read as a whole. */
  readonly lists?: Lists | undefined
  /** Drops what an API that cannot filter by time sends too much. */
  readonly isWanted: ((record: JsonRecord) => boolean) | null
  readonly tools: RecordTools
}

export function selectRecords({ stream, config, slice, decoded, lists, isWanted, tools }: SelectInput): Selection {
  const { selector } = stream
  const { instances, schema } = tools
  const {
    found,
    list,
    count: receivedCount,
    lastSent,
    truncated,
  } = extract(selector.extractor, decoded.value, {
    config,
    slice,
    instances,
    ...(lists && { lists }),
    kind: { isItems: hasItems(stream.decoder), isXml: stream.decoder.kind === 'xml' },
  })
  const extracted = found.map((one) => asRecord(stream, one))
  const { filter, transformations } = selector
  const cutShort = truncated === undefined ? {} : { truncated }
  if (
    filter === null &&
    transformations.length === 0 &&
    schema === null &&
    isWanted === null &&
    lastSent === undefined
  ) {
    const records = decoded.hasFloats ? extracted.map(toPlain) : extracted
    return { records, receivedCount, received: extracted, isKept: null, list, ...cutShort }
  }

  const { transformed, passes } = change(selector, extracted, { scope: scopeOf(config, slice), slice, instances })
  const isKept = transformed.map((record, index) => passes[index] === true && (isWanted?.(record) ?? true))
  const fitted =
    schema === null
      ? transformed
      : transformed.map((record, index) => normalizeRecord(selector.normalization, record, schema, tools, index))
  const records = fitted.filter((_, index) => isKept[index])
  const mayHaveFloats = decoded.hasFloats || schema !== null
  return {
    records: mayHaveFloats ? records.map(toPlain) : records,
    receivedCount,
    received: lastSent === undefined ? fitted : [...fitted, lastSent],
    isKept: lastSent === undefined ? isKept : [...isKept, false],
    list,
    ...cutShort,
  }
}

function scopeOf(config: Config, slice: Slice): PageScope {
  return { config, stream_slice: sliceForTemplates(slice), next_page_token: null }
}

/** Records after the transformations, and which of them pass the filter. */
type Changed = { readonly transformed: readonly JsonRecord[]; readonly passes: readonly boolean[] }

function change(selector: SelectorPlan, records: readonly JsonRecord[], input: TransformInput): Changed {
  const { filter, transformations, transformFirst } = selector
  const transform = (record: JsonRecord, index: number) => transformRecord(transformations, record, input, index)
  if (transformFirst) {
    const transformed = records.map(transform)
    return { transformed, passes: whichAreKept(filter, transformed, input) }
  }
  const passes = whichAreKept(filter, records, input)
  if (transformations.length === 0) return { transformed: records, passes }
  return {
    transformed: records.map((record, index) => (passes[index] ? transform : leaveOr(transform))(record, index)),
    passes,
  }
}

type Transform = (record: JsonRecord, index: number) => JsonRecord

/** The filter may be there to keep such records from the transformations. */
function leaveOr(transform: Transform): Transform {
  return (record, index) => {
    try {
      return transform(record, index)
    } catch (error) {
      if (error instanceof ConnectorError) return record
      throw error
    }
  }
}

function asRecord(stream: StreamPlan, found: unknown): JsonRecord {
  if (isObject(found)) return found
  const message = `Stream "${stream.name}": ${placeOf(stream.selector.extractor)} holds ${describeValue(found)}, not an object.`
  throw new ConnectorError('records/not-an-object', message, { at: stream.at })
}

function placeOf(extractor: ExtractorPlan): string {
  if (extractor.kind === 'combined') return 'one of the lists that are combined'
  if (extractor.kind === 'custom') return `what \`${extractor.className}\` gives`
  const path = [...extractor.path, ...(extractor.expansion?.path ?? [])].map((name) => name.source).join('.')
  return `the list at \`${path || 'the top of the response'}\``
}

export function toPlain(record: JsonRecord): JsonRecord {
  return withPlainNumbers(record) as JsonRecord
}

type NormalizeInput = {
  readonly instances: Instances
  readonly onMisfit: (misfit: Misfit) => void
}

function normalizeRecord(
  plan: NormalizationPlan,
  record: JsonRecord,
  schema: JsonSchema,
  { instances, onMisfit }: NormalizeInput,
  index: number,
): JsonRecord {
  switch (plan.kind) {
    case 'none':
      return record
    case 'cast':
      return fitToSchema(record, schema, { onMisfit }) as JsonRecord
    case 'custom': {
      const normalization = instanceFor(instances, plan, SchemaNormalization)
      const given: unknown = runCustom(plan, () =>
        recordAsJson(atOnce(normalization.normalize(plainNumbers(record) as JsonRecord, schema)), index),
      )
      if (isObject(given)) return given
      const message = `\`${plan.className}\` makes ${describeKind(given)} of a record.`
      throw new ConnectorError('custom/class-failed', message, { at: plan.at })
    }
  }
}
