/** The messages of the Airbyte protocol: what a platform reads from our standard output, one per line. */
import type { FailureType } from '../std/errors.ts'
import type { Config, JsonRecord, JsonSchema } from '../engine/plan/plan.ts'
import type { StreamState } from '../engine/slices/stream-cursor.ts'

export type Message =
  | RecordMessage
  | StateMessage
  | { readonly type: 'LOG'; readonly log: { readonly level: LogLevel; readonly message: string } }
  | { readonly type: 'TRACE'; readonly trace: Trace }
  | { readonly type: 'CONTROL'; readonly control: Control }
  | { readonly type: 'SPEC'; readonly spec: Specification }
  | { readonly type: 'CATALOG'; readonly catalog: { readonly streams: readonly CatalogStream[] } }
  | { readonly type: 'CONNECTION_STATUS'; readonly connectionStatus: ConnectionStatus }

export type RecordMessage = {
  readonly type: 'RECORD'
  readonly record: { readonly stream: string; readonly data: JsonRecord; readonly emitted_at: number }
}

export type StateMessage = {
  readonly type: 'STATE'
  readonly state: {
    readonly type: 'STREAM'
    readonly stream: { readonly stream_descriptor: StreamDescriptor; readonly stream_state: StreamState }
    readonly sourceStats: { readonly recordCount: number }
  }
}

export type LogLevel = 'FATAL' | 'ERROR' | 'WARN' | 'INFO' | 'DEBUG' | 'TRACE'
export type StreamDescriptor = { readonly name: string }
export type StreamStatus = 'STARTED' | 'RUNNING' | 'COMPLETE' | 'INCOMPLETE'
export type Trace =
  | { readonly type: 'ERROR'; readonly emitted_at: number; readonly error: TraceError }
  | {
      readonly type: 'STREAM_STATUS'
      readonly emitted_at: number
      readonly stream_status: {
        readonly stream_descriptor: StreamDescriptor
        readonly status: StreamStatus
        readonly reasons?: readonly StatusReason[]
      }
    }
  | { readonly type: 'ANALYTICS'; readonly emitted_at: number; readonly analytics: Analytics }

/** Both are strings in the protocol. */
export type Analytics = { readonly type: string; readonly value: string }

/** `quota_reset`: milliseconds since 1970. */
export type StatusReason = { readonly type: 'RATE_LIMITED'; readonly rate_limited?: { readonly quota_reset: number } }

export type TraceError = {
  readonly message: string
  readonly internal_message: string
  readonly failure_type: FailureType
  readonly stream_descriptor?: StreamDescriptor
}

/** The platform replaces its config with this one. */
export type Control = {
  readonly type: 'CONNECTOR_CONFIG'
  readonly emitted_at: number
  readonly connectorConfig: { readonly config: Config }
}

export type Specification = {
  readonly connectionSpecification: JsonSchema
  readonly documentationUrl?: string
  readonly advanced_auth?: JsonSchema
  readonly supportsNormalization: boolean
  readonly supportsDBT: boolean
}

export type CatalogStream = {
  readonly name: string
  readonly json_schema: JsonSchema
  readonly supported_sync_modes: readonly ('full_refresh' | 'incremental')[]
  readonly source_defined_cursor?: boolean
  readonly default_cursor_field?: readonly string[]
  readonly source_defined_primary_key?: readonly (readonly string[])[]
  readonly is_resumable: boolean
  readonly is_file_based: boolean
}

export type ConnectionStatus =
  | { readonly status: 'SUCCEEDED' }
  | { readonly status: 'FAILED'; readonly message: string }

/** Takes messages in order; the sender waits for the promise before it sends more. */
export type Emit = (messages: readonly Message[]) => void | Promise<void>

export function recordMessage(stream: string, record: JsonRecord, emittedAt: number): RecordMessage {
  return { type: 'RECORD', record: { stream, data: record, emitted_at: emittedAt } }
}

/** `recordCount`: records emitted since the state before this one. */
export function stateMessage(stream: string, state: StreamState, recordCount: number): StateMessage {
  return {
    type: 'STATE',
    state: {
      type: 'STREAM',
      stream: { stream_descriptor: { name: stream }, stream_state: state },
      sourceStats: { recordCount },
    },
  }
}

export function logMessage(level: LogLevel, message: string): Message {
  return { type: 'LOG', log: { level, message } }
}

export function configMessage(config: Config, emittedAt: number): Message {
  return { type: 'CONTROL', control: { type: 'CONNECTOR_CONFIG', emitted_at: emittedAt, connectorConfig: { config } } }
}

export function statusMessage(stream: string, status: StreamStatus, emittedAt: number): Message {
  const stream_status = { stream_descriptor: { name: stream }, status }
  return { type: 'TRACE', trace: { type: 'STREAM_STATUS', emitted_at: emittedAt, stream_status } }
}

/** The stream is still running, and waits for the API's rate limit. */
export function rateLimitedMessage(stream: string, quotaResetsAt: number | undefined, emittedAt: number): Message {
  const reset = quotaResetsAt === undefined ? {} : { rate_limited: { quota_reset: quotaResetsAt } }
  const reasons = [{ type: 'RATE_LIMITED' as const, ...reset }]
  const stream_status = { stream_descriptor: { name: stream }, status: 'RUNNING' as const, reasons }
  return { type: 'TRACE', trace: { type: 'STREAM_STATUS', emitted_at: emittedAt, stream_status } }
}

export function analyticsMessage(type: string, value: string, emittedAt: number): Message {
  return { type: 'TRACE', trace: { type: 'ANALYTICS', emitted_at: emittedAt, analytics: { type, value } } }
}

export function errorMessage(error: TraceError, emittedAt: number): Message {
  return { type: 'TRACE', trace: { type: 'ERROR', emitted_at: emittedAt, error } }
}
