/** A stream's plan → its first slice, without requests: unknown values get placeholders. */
import type { Config, JsonRecord } from '../../engine/plan/plan.ts'
import type { StreamPlan } from '../../engine/plan/stream.ts'
import type { ParentPlan, RouterPlan } from '../../engine/plan/slicing.ts'
import { openCursor } from '../../engine/slices/cursor.ts'
import { partitionsOf, type RoutedPart, type RouterTools } from '../../engine/slices/partitions.ts'
import type { Slice, Window } from '../../engine/slices/slice.ts'
import { ConnectorError } from '../../std/errors.ts'
import { setMember } from '../../std/values/set-member.ts'
import type { Placeholders } from './preview-config.ts'
import type { StreamCursor } from '../../engine/slices/stream-cursor.ts'

export async function previewSlice(
  { slicing }: StreamPlan,
  config: Config,
  placeholders: Placeholders,
  now: () => number,
): Promise<Slice> {
  const { values, extra } = await firstPartition(slicing.routers, config, placeholders)
  return { partition: values, window: firstWindow(slicing, values, { config, now }, placeholders), extra }
}

async function firstPartition(
  routers: readonly RouterPlan[],
  config: Config,
  placeholders: Placeholders,
): Promise<RoutedPart> {
  const tools: RouterTools = {
    config,
    takesFirstPages: false,
    warn: () => {},
    readParent: (parent) => exampleOf(parent, placeholders),
    routerOf: ({ custom: { className, at } }) => {
      throw new ConnectorError('plan/no-folder', `Only \`${className}\` knows the partitions.`, { at })
    },
  }
  try {
    for await (const partition of partitionsOf(routers, tools)) return partition
  } catch {
    // The config has no values yet.
  }
  return {
    values: Object.fromEntries(routers.flatMap(fieldsOf).map((field) => [field, placeholders.named(field)])),
    extra: {},
  }
}

/** A record with the fields that child streams use. */
async function* exampleOf({ stream, key, extraFields }: ParentPlan, { named }: Placeholders) {
  const record: JsonRecord = {}
  for (const path of [key, ...extraFields]) put(record, path, named(`${stream.name} ${path.join('.')}`))
  yield { record, partition: {} }
}

function put(record: JsonRecord, path: readonly string[], value: string): void {
  const [name, ...rest] = path
  if (name === undefined) return
  if (rest.length === 0) setMember(record, name, value)
  else {
    const inner = (record[name] ?? {}) as JsonRecord
    setMember(record, name, inner)
    put(inner, rest, value)
  }
}

function fieldsOf(router: RouterPlan): string[] {
  switch (router.kind) {
    case 'list':
    case 'union':
      return [router.field]
    case 'parents':
    case 'custom':
      return router.parents.map(({ field }) => field)
    case 'group':
      return fieldsOf(router.router)
  }
}

type CursorInput = Parameters<typeof openCursor>[1]

function firstWindow(
  slicing: StreamPlan['slicing'],
  partition: Slice['partition'],
  tools: CursorInput,
  placeholders: Placeholders,
): Window {
  const { cursor: plan } = slicing
  if (plan === null) return {}
  try {
    const cursor: StreamCursor = openCursor(slicing, tools)
    for (const window of cursor.windowsOf(partition)) return window
  } catch {
    // The config has no dates yet.
  }
  const { startField, endField } = plan
  return { [startField]: placeholders.named('start'), [endField]: placeholders.named('end') }
}
