/** The playground's door: template text and plain JSON in, plain JavaScript out. */
import { ConnectorError } from '../../std/errors.ts'
import { parseJson } from '../../std/json.ts'
import { AttributedDict, HeaderDict, HostFunction } from './host.ts'
import { compileTemplate, type EvaluateAs, nowKey, type Scope, type Value } from './template.ts'
import { failed, needs } from './trouble.ts'
import { plainValue } from './plain-value.ts'
import { kindOf } from './values/kind.ts'

export type PlaygroundOptions = { as?: Exclude<EvaluateAs, 'str_typed'>; now?: Date | string }

/**
 * `evaluateTemplate('{{ config.page + 1 }}', { config: { page: 1 } })` is 2.
 *
 * `stream_slice` is given as `{ partition, cursor_slice, extra_fields }`, `last_record` as the record,
 * `json_loads` as `{ __callable__: 'json.loads' }`; everything else as it is.
 * A key that would be dropped gives null, as does Python's None.
 */
export function evaluateTemplate(
  text: string,
  context: Record<string, unknown>,
  options: PlaygroundOptions = {},
): unknown {
  if (typeof text !== 'string') throw wrong('The template must be a string.')
  if (!isRecord(context)) throw wrong('The names that a template sees must be an object, such as `{ config: {} }`.')
  const { as = 'string', now } = options
  if (!Object.hasOwn(kinds, as)) throw wrong(`The option \`as\` must be one of ${Object.keys(kinds).join(', ')}.`)
  const scope = scopeFromJson(context)
  const clocked: Scope = now === undefined ? scope : { ...scope, [nowKey]: () => new Date(now) }
  const result = compileTemplate(text).evaluate(clocked, as)
  return result === undefined ? null : plainValue(result)
}

/** Every one is here: the compiler sees to it. */
const kinds: Record<NonNullable<PlaygroundOptions['as']>, true> = {
  string: true,
  boolean: true,
  param: true,
  header: true,
  json: true,
}

/** A program may pass any value where TypeScript did not check it. */
function wrong(message: string): ConnectorError {
  return new ConnectorError('plan/invalid-option', message)
}

/** Plain JSON → what a stage would hand to a template under these names. */
export function scopeFromJson(context: Readonly<Record<string, unknown>>): Scope {
  return Object.fromEntries(Object.entries(context).map(([name, value]) => [name, hostValue(name, value)]))
}

function hostValue(name: string, value: unknown): unknown {
  if (!isRecord(value)) return value
  switch (name) {
    case 'stream_slice':
      return streamSlice(value)
    case 'last_record':
      return new AttributedDict(value, { data: value, stream_name: 's', associated_slice: null })
    case 'headers':
      return HeaderDict.fromPlain(value)
    case 'json_loads':
      return value['__callable__'] === 'json.loads' ? new HostFunction(jsonLoads) : value
    default:
      return value
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && kindOf(value) === 'dict'
}

function streamSlice(given: Record<string, unknown>): AttributedDict {
  const part = (name: string) => (isRecord(given[name]) ? given[name] : {})
  const [partition, cursor, extra] = [part('partition'), part('cursor_slice'), part('extra_fields')]
  return new AttributedDict(
    { ...partition, ...cursor },
    { partition, cursor_slice: cursor, extra_fields: extra, _partition: partition },
  )
}

/** Python's `json.loads`, for the templates of JWT authenticators. */
export function jsonLoads(text: Value): Value {
  if (typeof text !== 'string') throw needs('`json_loads`', 'a str', text)
  try {
    return parseJson(text).value as Value
  } catch {
    throw failed('`json_loads` is given a string that is not JSON')
  }
}
