/** A stream of the manifest → what templates find in its slices, known before anything is read. */
import { follow } from '../../document/follow.ts'
import { streamsIn } from '../../document/stream-paths.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import { formPlaceOf } from '../stream/form-path.ts'
import { type NameMember, nameMember } from './template-names.ts'

/** Values of partitions first, then bounds of windows. */
export function sliceMembers(root: unknown, streamName: string | null): readonly NameMember[] {
  const stream = streamsIn(root).find(({ name }) => name === streamName)
  if (stream === undefined) return []
  const { path } = formPlaceOf(stream, follow(root, stream.path).value)
  const { value: routers } = follow(root, [...path, 'retriever', 'partition_router'])
  const { value: cursor } = follow(root, [...path, 'incremental_sync'])
  const members = [...[routers].flat().flatMap(partitionMembers), ...windowMembers(cursor)]
  // Several parents often share a field.
  return [...new Map(members.map((member) => [member.name, member])).values()]
}

/** A custom router names its values when it runs. */
function partitionMembers(router: unknown): NameMember[] {
  if (!isObject(router)) return []
  switch (router.type) {
    case 'ListPartitionRouter':
      return listMember(router.cursor_field, router.values)
    case 'SubstreamPartitionRouter':
      return [router.parent_stream_configs].flat().flatMap(parentMember)
    case 'GroupingPartitionRouter':
      return partitionMembers(router.underlying_partition_router).map(({ name }) => ({
        name,
        type: 'list',
        sample: '',
      }))
    case 'UnionPartitionRouter':
      return memberCalled(router.partition_field, '')
    default:
      return []
  }
}

function listMember(field: unknown, values: unknown): NameMember[] {
  const isKnown = isList(values) && values.length > 0
  return memberCalled(field, '').map((member) => (isKnown ? nameMember(member.name, values[0]) : member))
}

function parentMember(parent: unknown): NameMember[] {
  if (!isObject(parent)) return []
  const { partition_field: field, parent_key: key, stream } = parent
  const { name } = isObject(stream) ? stream : {}
  return memberCalled(field, typeof key === 'string' && typeof name === 'string' ? `${key} of ${name}` : '')
}

/** The names that a window has unless the manifest gives it others are the engine's. */
function windowMembers(cursor: unknown): NameMember[] {
  if (!isObject(cursor)) return []
  switch (cursor.type) {
    case 'DatetimeBasedCursor':
      return [
        ...memberCalled(cursor.partition_field_start || 'start_time', 'start of the window'),
        ...memberCalled(cursor.partition_field_end || 'end_time', 'end of the window'),
      ]
    case 'IncrementingCountCursor':
      return memberCalled('start', 'start value')
    default:
      return []
  }
}

/** None where the name is missing, or a template itself. */
function memberCalled(name: unknown, sample: string): NameMember[] {
  return typeof name === 'string' && name !== '' && !name.includes('{{') ? [{ name, type: '', sample }] : []
}
