/** Routers → the partitions of a stream, in order, each made when it is needed. */
import { ConnectorError } from '../../std/errors.ts'
import { followPath } from '../../std/values/get-at.ts'
import { hashText } from '../../std/hashing/hash.ts'
import { stringifyJson } from '../../std/json.ts'
import { number } from '../../std/text/format-count.ts'
import { sortedMembers } from '../../std/values/sorted-members.ts'
import { awaitCustom, runCustom } from '../custom/component.ts'
import { objectOf, severalOf } from '../custom/check-returned.ts'
import type { Config, JsonRecord } from '../plan/plan.ts'
import type { ListPlan, CustomRouterPlan, GroupPlan, ParentPlan, RouterPlan, UnionPlan } from '../plan/slicing.ts'
import { describeValue } from '../template/text.ts'
import type { PartitionRouter, RoutedPartition } from './router.ts'

type Values = Readonly<Record<string, unknown>>

export type RoutedPart = {
  readonly values: Values
  readonly extra: Values
  /** The child's first page, where the parent's record holds it. */
  readonly firstPage?: unknown
}

/** A record of a parent, and the partition it was read from. */
export type ParentRecord = { readonly record: JsonRecord; readonly partition: Values }

export type RouterTools = {
  readonly config: Config
  /** Whether first pages that parents' records hold replace those of the API. */
  readonly takesFirstPages: boolean
  /** The records of a parent stream, page by page. */
  readonly readParent: (parent: ParentPlan) => AsyncIterable<ParentRecord>
  readonly routerOf: (plan: CustomRouterPlan) => Promise<PartitionRouter>
  /** Called for parents' records that make no partition. */
  readonly warn: (message: string) => void
  /** To be awaited before each partition of a class: whatever else waits has its turn. Rejects once the read is cancelled. */
  readonly pause?: () => Promise<void> | undefined
}

/** Each router with each: the first changes slowest. Without any, the stream is one partition. */
export async function* partitionsOf(routers: readonly RouterPlan[], tools: RouterTools): AsyncGenerator<RoutedPart> {
  const [router, ...others] = routers
  if (router === undefined) {
    yield { values: {}, extra: {} }
    return
  }
  if (others.length === 0) {
    yield* partitionsBy(router, tools)
    return
  }
  // The inner routers are read once for every outer partition; parents are requested once and their responses reused.
  for await (const outer of partitionsBy(router, tools)) {
    for await (const inner of partitionsOf(others, tools)) {
      // Airbyte: of two routers with one field name, the first wins.
      yield { values: { ...inner.values, ...outer.values }, extra: { ...inner.extra, ...outer.extra } }
    }
  }
}

/**
 * For streams without a cursor per partition, which finds such partitions itself. Parents come again when they change
 * during the read, or share a key; read twice, their children would be in the table twice. What else goes into requests
 * must be the same, too.
 */
export async function* withoutRepeated(
  partitions: AsyncIterable<RoutedPart>,
  warn: (message: string) => void,
): AsyncGenerator<RoutedPart> {
  const seen = new Set<string>()
  let hasWarned = false
  for await (const part of partitions) {
    const { values, extra, firstPage } = part
    const named = stringifyJson(sortedMembers(values))
    const rest = firstPage === undefined ? [extra] : [extra, hashText(firstPage)]
    const key = named + stringifyJson(rest)
    if (!seen.has(key)) {
      seen.add(key)
      yield part
    } else if (!hasWarned) {
      warn(twice(named))
      hasWarned = true
    }
  }
}

export function twice(key: string): string {
  return `The partition ${key.slice(0, 80)} occurs twice; it is read once.`
}

function partitionsBy(router: RouterPlan, tools: RouterTools): AsyncIterable<RoutedPart> {
  switch (router.kind) {
    case 'list':
      return listed(router, tools)
    case 'parents':
      return ofParents(router.parents, tools)
    case 'group':
      return grouped(router, tools)
    case 'union':
      return united(router, tools)
    case 'custom':
      return ofClass(router, tools)
  }
}

async function* listed(plan: ListPlan, { config }: RouterTools): AsyncGenerator<RoutedPart> {
  for (const value of valuesOf(plan, config)) yield { values: { [plan.field]: value }, extra: {} }
}

function valuesOf({ values, parameters, at }: ListPlan, config: Config): Iterable<unknown> {
  if (!('evaluate' in values)) return values
  const list = values.evaluate({ config, parameters })
  if (typeof list === 'object' && list !== null && Symbol.iterator in list) return list as Iterable<unknown>
  throw new ConnectorError('slices/invalid-values', `\`${values.source}\` gives ${describeValue(list)}, not a list.`, {
    at,
  })
}

async function* ofParents(parents: readonly ParentPlan[], tools: RouterTools): AsyncGenerator<RoutedPart> {
  for (const parent of parents) yield* ofParent(parent, tools)
}

async function* ofParent(parent: ParentPlan, tools: RouterTools): AsyncGenerator<RoutedPart> {
  let withoutKey = 0
  for await (const { record, partition } of tools.readParent(parent)) {
    const value = keyIn(record, parent)
    // Null would be requested as `None`.
    if (value === undefined || value === null) withoutKey++
    else {
      const firstPage =
        tools.takesFirstPages && parent.firstPage !== null ? followPath(record, parent.firstPage) : undefined
      yield {
        values: { [parent.field]: value, parent_slice: partition },
        extra: extraOf(parent, record),
        ...(firstPage !== undefined && { firstPage }),
      }
    }
  }
  // Airbyte leaves them out without a word.
  if (withoutKey > 0) {
    const key = parent.key.join('/')
    const [records, have, them] = withoutKey === 1 ? ['record', 'has', 'it'] : ['records', 'have', 'them']
    tools.warn(
      `${withoutKey} ${records} of the parent stream "${parent.stream.name}" ${have} no \`${key}\`, and nothing is read for ${them}.`,
    )
  }
}

/** Airbyte: a key with a `*` must lead to one value; a record where it leads to none has no key. */
function keyIn(record: JsonRecord, { key, stream, at }: ParentPlan): unknown {
  const found = followPath(record, key)
  if (!key.includes('*')) return found
  const values = found as readonly unknown[]
  if (values.length < 2) return values[0]
  const message = `\`${key.join('/')}\` leads to ${values.length} values in a record of the parent stream "${stream.name}"; a key is one.`
  throw new ConnectorError('slices/invalid-values', message, {
    at,
    hint: 'Make the items of the list records of the parent stream, with a RecordExpander or in `field_path`.',
  })
}

function extraOf({ extraFields }: ParentPlan, record: JsonRecord): Values {
  return Object.fromEntries(extraFields.map((path) => [path.join('.'), followPath(record, path) ?? null]))
}

/** Airbyte: a group's values and extra fields are lists, in the order of its members. */
async function* grouped(plan: GroupPlan, tools: RouterTools): AsyncGenerator<RoutedPart> {
  const seen = new Set<string>()
  let batch: RoutedPart[] = []
  for await (const partition of partitionsBy(plan.router, tools)) {
    if (plan.dropsRepeated) {
      const key = stringifyJson(partition.values)
      if (seen.has(key)) continue
      seen.add(key)
    }
    batch.push(partition)
    if (batch.length === plan.size) {
      yield groupOf(batch)
      batch = []
    }
  }
  if (batch.length > 0) yield groupOf(batch)
}

function groupOf(batch: readonly RoutedPart[]): RoutedPart {
  const lists = (members: readonly Values[]) => {
    const names = new Set(members.flatMap((member) => Object.keys(member)))
    return Object.fromEntries(Array.from(names, (name) => [name, members.map((member) => member[name] ?? null)]))
  }
  return { values: lists(batch.map(({ values }) => values)), extra: lists(batch.map(({ extra }) => extra)) }
}

/** The other fields of a member become extra. */
async function* united({ field, routers, at }: UnionPlan, tools: RouterTools): AsyncGenerator<RoutedPart> {
  const seen = new Set<string>()
  for (const router of routers) {
    for await (const { values, extra } of partitionsBy(router, tools)) {
      if (!Object.hasOwn(values, field)) {
        const names = Object.keys(values).join(', ')
        throw new ConnectorError('slices/invalid-values', `A partition of the union has ${names}, not \`${field}\`.`, {
          at,
        })
      }
      const { [field]: value, ...others } = values
      const key = stringifyJson(value)
      if (seen.has(key)) continue
      seen.add(key)
      yield { values: { [field]: value }, extra: { ...extra, ...others } }
    }
  }
}

async function* ofClass(plan: CustomRouterPlan, tools: RouterTools): AsyncGenerator<RoutedPart> {
  const router = await tools.routerOf(plan)
  const guard = openRepeatGuard()
  const parents = plan.parents.map((parent) => ({
    name: parent.stream.name,
    field: parent.field,
    records: () => guard.counting(tools.readParent(parent)),
    partitions: () => guard.counting(routed(ofParent(parent, tools))),
  }))
  const given: unknown = await awaitCustom(plan.custom, () => router.partitions(parents))
  const made = runCustom(plan.custom, () => severalOf(given, 'a list of partitions'))
  const partitions = Symbol.asyncIterator in made ? made[Symbol.asyncIterator]() : made[Symbol.iterator]()
  try {
    for (;;) {
      await tools.pause?.()
      const next = await awaitCustom(plan.custom, async () => partitions.next())
      if (next.done === true) return
      yield runCustom(plan.custom, () => guard.check(partOf(next.value)))
    }
  } finally {
    await awaitCustom(plan.custom, async () => partitions.return?.())
  }
}

/** A class may well name a partition for every record of a parent, the same ones again and again. */
const mostRepeats = 100_000

/** Ends a class that makes the same partitions for ever: each is read once, so nothing else would end the read. */
function openRepeatGuard() {
  const seen = new Set<string>()
  let repeats = 0
  let mostParents = 0
  return {
    async *counting<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
      let parents = 0
      for await (const item of items) {
        mostParents = Math.max(mostParents, ++parents)
        yield item
      }
    },
    check(part: RoutedPart): RoutedPart {
      const key = stringifyJson([part.values, part.extra])
      repeats = seen.has(key) ? repeats + 1 : 0
      if (repeats > mostRepeats + mostParents)
        throw new Error(`it made ${number(repeats)} partitions in a row that it had made before, and does not end`)
      if (repeats === 0) seen.add(key)
      return part
    },
  }
}

function partOf(given: unknown): RoutedPart {
  const { partition, extra } = objectOf(given, 'an object with a `partition`')
  return {
    values: objectOf(partition, 'an object as its `partition`'),
    extra: extra === undefined ? {} : objectOf(extra, 'an object as its `extra`'),
  }
}

async function* routed(partitions: AsyncIterable<RoutedPart>): AsyncGenerator<RoutedPartition> {
  for await (const { values, extra } of partitions) yield { partition: values, extra }
}
