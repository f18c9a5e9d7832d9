/** The messages of the Airbyte protocol (version 0.17) that a source may write, as JSON Schema. */
import { Ajv, type ErrorObject } from 'ajv'

const text = { type: 'string' }
const moment = { type: 'number', minimum: 1e12 }
const path = { type: 'array', items: text }
const object = (required: readonly string[], properties: object, rest: object = {}) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
  ...rest,
})
const anyObject = { type: 'object' }
const descriptor = object(['name'], { name: text, namespace: text })
/** One member is named by `type`, and only that one is there. */
const oneOf = (members: Readonly<Record<string, readonly [name: string, schema: object]>>, shared: object = {}) => ({
  type: 'object',
  required: ['type'],
  oneOf: Object.entries(members).map(([type, [name, schema]]) =>
    object(['type', name, ...Object.keys(shared)], { type: { const: type }, [name]: schema, ...shared }),
  ),
})

const syncMode = { enum: ['full_refresh', 'incremental'] }
const catalogStream = object(['name', 'json_schema', 'supported_sync_modes'], {
  name: { type: 'string', minLength: 1 },
  namespace: text,
  json_schema: anyObject,
  supported_sync_modes: { type: 'array', minItems: 1, uniqueItems: true, items: syncMode },
  source_defined_cursor: { type: 'boolean' },
  default_cursor_field: path,
  source_defined_primary_key: { type: 'array', items: path },
  is_resumable: { type: 'boolean' },
  is_file_based: { type: 'boolean' },
})

const statusReason = object(['type'], {
  type: { const: 'RATE_LIMITED' },
  rate_limited: object([], { quota_reset: moment }),
})
const trace = oneOf(
  {
    ERROR: [
      'error',
      object(['message'], {
        message: text,
        internal_message: text,
        stack_trace: text,
        failure_type: { enum: ['system_error', 'config_error', 'transient_error'] },
        stream_descriptor: descriptor,
      }),
    ],
    STREAM_STATUS: [
      'stream_status',
      object(['stream_descriptor', 'status'], {
        stream_descriptor: descriptor,
        status: { enum: ['STARTED', 'RUNNING', 'COMPLETE', 'INCOMPLETE'] },
        reasons: { type: 'array', items: statusReason },
      }),
    ],
    ANALYTICS: ['analytics', object(['type', 'value'], { type: text, value: text })],
  },
  { emitted_at: moment },
)

const message = oneOf({
  RECORD: ['record', object(['stream', 'data', 'emitted_at'], { stream: text, data: anyObject, emitted_at: moment })],
  STATE: [
    'state',
    object(['type', 'stream', 'sourceStats'], {
      type: { const: 'STREAM' },
      stream: object(['stream_descriptor', 'stream_state'], { stream_descriptor: descriptor, stream_state: anyObject }),
      sourceStats: object(['recordCount'], { recordCount: { type: 'number', minimum: 0 } }),
    }),
  ],
  LOG: [
    'log',
    object(['level', 'message'], {
      level: { enum: ['FATAL', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE'] },
      message: text,
      stack_trace: text,
    }),
  ],
  SPEC: [
    'spec',
    object(['connectionSpecification'], {
      connectionSpecification: anyObject,
      documentationUrl: { type: 'string', pattern: '^https?://' },
      changelogUrl: text,
      advanced_auth: anyObject,
      supportsIncremental: { type: 'boolean' },
      supportsNormalization: { type: 'boolean' },
      supportsDBT: { type: 'boolean' },
      protocol_version: text,
    }),
  ],
  CONNECTION_STATUS: [
    'connectionStatus',
    object(['status'], { status: { enum: ['SUCCEEDED', 'FAILED'] }, message: text }),
  ],
  CATALOG: ['catalog', object(['streams'], { streams: { type: 'array', items: catalogStream } })],
  TRACE: ['trace', trace],
  CONTROL: [
    'control',
    object(['type', 'emitted_at', 'connectorConfig'], {
      type: { const: 'CONNECTOR_CONFIG' },
      emitted_at: moment,
      connectorConfig: object(['config'], { config: anyObject }),
    }),
  ],
})

const isMessage = new Ajv({ strict: false }).compile(message)

/** What is wrong with a message; null where nothing is. */
export function faultOf(value: unknown): string | null {
  return isMessage(value) ? null : sayFaults(isMessage.errors)
}

/** Schema → what is wrong with a value. Formats are left to those who wrote them. */
export function checkerFor(schema: object): (value: unknown) => string | null {
  const { $schema: _draft, ...plain } = schema as { $schema?: unknown }
  const check = new Ajv({ strict: false, validateFormats: false }).compile(plain)
  return (value) => (check(value) ? null : sayFaults(check.errors))
}

function sayFaults(errors: readonly ErrorObject[] | null | undefined): string {
  return (errors ?? []).map(({ instancePath, message: says }) => `${instancePath} ${says ?? ''}`).join('; ')
}
