/** The state of an earlier read, in any of Airbyte's shapes → the state of each stream. */
import { stringifyJson } from '../std/json.ts'
import { isObject } from '../std/values/objects.ts'
import { ConnectorError } from '../std/errors.ts'
import type { StreamState } from '../engine/slices/stream-cursor.ts'

export type States = ReadonlyMap<string, StreamState>

/**
 * Takes a list of STATE messages or of the blobs inside them, a single one of either, what the platform shows of a
 * connection, or the older object with one member per stream. Where a stream occurs twice, the later state counts.
 */
export function statesIn(value: unknown): States {
  const states = new Map<string, StreamState>()
  const members: unknown[] = Array.isArray(value) ? value : [value]
  for (const member of members) {
    for (const [name, state] of statesOf(member)) states.set(name, state)
  }
  return states
}

function statesOf(member: unknown): [string, StreamState][] {
  if (!isObject(member)) throw invalid(`A state is an object, not \`${stringifyJson(member).slice(0, 40)}\`.`)
  const { type } = member
  if (type === 'STATE' && isObject(member.state)) return statesOf(member.state)
  if (type === 'STREAM') return [streamState(member.stream)]
  if (type === 'GLOBAL' && isObject(member.global)) {
    const { stream_states } = member.global
    return Array.isArray(stream_states) ? stream_states.map(streamState) : []
  }
  // Other messages are skipped: the whole output of a read is accepted as a state.
  if (typeof type === 'string' && type === type.toUpperCase()) {
    return type === 'LEGACY' && isObject(member.data) ? legacyStates(member.data) : []
  }
  return platformStates(member) ?? legacyStates(member)
}

/** The settings of a connection show a list of `streamDescriptor` and `streamState`; the platform's API wraps it. */
function platformStates(member: Record<string, unknown>): [string, StreamState][] | null {
  const { stateType, streamDescriptor, streamState: state, globalState } = member
  if (isObject(streamDescriptor)) return [streamState({ stream_descriptor: streamDescriptor, stream_state: state })]
  if (typeof stateType !== 'string') return null
  const states = isObject(globalState) ? globalState.streamStates : state
  if (Array.isArray(states)) return states.flatMap(statesOf)
  return isObject(member.state) ? legacyStates(member.state) : []
}

function streamState(value: unknown): [string, StreamState] {
  if (isObject(value) && isObject(value.stream_descriptor) && typeof value.stream_descriptor.name === 'string') {
    const { stream_state: state } = value
    const { name } = value.stream_descriptor
    if (isObject(state)) return [name, state]
    if (state === undefined || state === null) return [name, {}]
    throw invalid(`The state of "${name}" is not an object.`)
  }
  throw invalid('A state of type STREAM has no `stream_descriptor` with a `name`.')
}

function legacyStates(states: Record<string, unknown>): [string, StreamState][] {
  return Object.entries(states).map(([name, state]) => {
    if (isObject(state)) return [name, state]
    throw invalid(`The state of "${name}" is not an object.`)
  })
}

function invalid(message: string): ConnectorError {
  return new ConnectorError('slices/invalid-state', message)
}
