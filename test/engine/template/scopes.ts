/** Recorded contexts → scopes, as `meta.context` of the vectors describes them. */
import { AttributedDict, HostFunction } from '../../../src/engine/template/host.ts'
import { jsonLoads } from '../../../src/engine/template/evaluate-template.ts'
import { nowKey, type Scope, uuidKey } from '../../../src/engine/template/template.ts'

export type Json = { [key: string]: unknown }

export const recordedNow = new Date('2026-01-02T03:04:05Z')
const recordedUuid = '00000000-0000-4000-8000-000000000001'

export function scopeOf(context: Json = {}): Scope {
  const scope: Json = {}
  for (const [name, value] of Object.entries(context)) scope[name] = hostValue(name, value)
  return { ...scope, [nowKey]: () => recordedNow, [uuidKey]: () => recordedUuid }
}

function hostValue(name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Json
  switch (name) {
    case 'stream_slice': {
      const partition = fields['partition'] as Json
      const cursor = fields['cursor_slice'] as Json
      const extra = fields['extra_fields'] as Json
      return new AttributedDict(
        { ...partition, ...cursor },
        { partition, cursor_slice: cursor, extra_fields: extra, _partition: partition },
      )
    }
    case 'last_record':
      return new AttributedDict(fields, { data: fields, stream_name: 's', associated_slice: null })
    case 'json_loads':
      return new HostFunction(jsonLoads)
    default:
      return value
  }
}
