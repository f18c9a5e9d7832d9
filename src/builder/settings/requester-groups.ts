/** A manifest → the addresses and authenticators it has, each once, with the streams that use it. */
import { isObject } from '../../std/values/objects.ts'
import { follow } from '../../document/follow.ts'
import { type Path, pointerOf } from '../../document/value-path.ts'
import { type StreamPlace, streamsIn } from '../../document/stream-paths.ts'

export type Group = {
  /** Where it is written, or would be. */
  readonly at: Path
  /** Names of the streams that use it; none for a definition that waits for its first. */
  readonly streams: readonly string[]
}

type Use = { readonly at: Path; readonly stream: string | null }

/** `url_base`, or the whole `url` where a requester has that instead. */
export function baseUrlGroups(root: unknown): Group[] {
  return grouped(requestersIn(root).map(({ at, stream }) => ({ at: urlAt(root, at), stream })))
}

/** A new authenticator is added next to the base URL, so that streams which share one share the other. */
export function authenticatorGroups(root: unknown): Group[] {
  const uses = requestersIn(root).map(({ at, stream }) => {
    const { value, writtenAt } = follow(root, [...at, 'authenticator'])
    const isThere = value !== undefined && value !== null
    return { at: isThere ? writtenAt : [...urlAt(root, at).slice(0, -1), 'authenticator'], stream }
  })
  return grouped(uses)
}

function urlAt(root: unknown, requester: Path): Path {
  const base = follow(root, [...requester, 'url_base'])
  const whole = follow(root, [...requester, 'url'])
  return base.value === undefined && whole.value !== undefined ? whole.writtenAt : base.writtenAt
}

function grouped(uses: readonly Use[]): Group[] {
  const groups = new Map<string, { at: Path; streams: Set<string> }>()
  for (const { at, stream } of uses) {
    const pointer = pointerOf(at)
    const group = groups.get(pointer) ?? { at, streams: new Set() }
    if (stream !== null) group.streams.add(stream)
    groups.set(pointer, group)
  }
  return [...groups.values()].map(({ at, streams }) => ({ at, streams: [...streams] }))
}

/** Those of streams first, then definitions that no stream uses yet. Classes of the connector ask in ways of their own. */
function requestersIn(root: unknown): Use[] {
  const used = streamsIn(root).flatMap((stream) =>
    retrieversOf(root, stream).flatMap((at) => requestersAt(root, at).map((one) => ({ at: one, stream: stream.name }))),
  )
  const known = new Set(used.map(({ at }) => pointerOf(urlAt(root, at))))
  const idle = definedRequesters(root).filter((at) => !known.has(pointerOf(urlAt(root, at))))
  return [...used, ...idle.map((at) => ({ at, stream: null }))]
}

function retrieversOf(root: unknown, { path, kind }: StreamPlace): Path[] {
  const stream = kind === 'dynamic' ? [...path, 'stream_template'] : path
  const halves = ['full_refresh_stream', 'incremental_stream'].map((half) => [...stream, half])
  const isSplit = halves.some((half) => follow(root, half).value !== undefined)
  return (isSplit ? halves : [stream]).map((one) => [...one, 'retriever'])
}

/** A stream that waits for a job asks more than once, and often at other addresses. */
const requesterKeys = [
  'requester',
  'creation_requester',
  'polling_requester',
  'download_target_requester',
  'download_requester',
  'abort_requester',
  'delete_requester',
]

function requestersAt(root: unknown, retriever: Path): Path[] {
  return requesterKeys
    .map((key) => [...retriever, key])
    .filter((at, index) => {
      const { value } = follow(root, at)
      if (!isObject(value)) return false
      // The address of a finished job is known only then: that is no setting.
      const isSet = index === 0 || value.url_base !== undefined
      return isSet && (value.type !== 'CustomRequester' || value.url_base !== undefined)
    })
}

function definedRequesters(root: unknown): Path[] {
  const { value: definitions } = follow(root, ['definitions'])
  if (!isObject(definitions)) return []
  return Object.keys(definitions)
    .filter((key) => isRequester(definitions[key]))
    .map((key) => ['definitions', key])
}

function isRequester(value: unknown): boolean {
  return isObject(value) && value.type === 'HttpRequester' && value.url_base !== undefined
}
