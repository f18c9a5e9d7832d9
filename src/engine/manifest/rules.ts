/** Rules that join several fields of one component, which the table cannot say. */
import type { ErrorCode } from '../../std/errors.ts'
import type { ComponentType } from './components.ts'
import { listed } from './problem.ts'
import { isFilled, type JsonObject } from './tree.ts'

type Broken = { code: ErrorCode; message: string; field: string | undefined; hint: string }

/** What is wrong with this component beyond its single fields. */
export function ruleProblems(node: JsonObject, type: ComponentType): Broken[] {
  switch (type) {
    case 'DeclarativeSource':
      return node.streams === undefined && node.dynamic_streams === undefined
        ? [missing('The manifest has neither `streams` nor `dynamic_streams`.', 'Add `streams`: a list of streams.')]
        : []
    case 'RequestOption':
      return requestOption(node)
    case 'ApiKeyAuthenticator':
      return apiKey(node)
    default:
      return []
  }
}

function requestOption(node: JsonObject): Broken[] {
  const hasName = isFilled(node.field_name)
  const hasPath = isFilled(node.field_path)
  if (!hasName && !hasPath) {
    return [
      missing(
        'The RequestOption has no `field_name`.',
        'Add `field_name`, or `field_path` for a nested place in a JSON body.',
      ),
    ]
  }
  if (hasName && hasPath) {
    return [invalid('field_path', 'The RequestOption has both `field_name` and `field_path`.', 'Keep one of the two.')]
  }
  if (hasPath && typeof node.inject_into === 'string' && node.inject_into !== 'body_json') {
    const message = `\`field_path\` needs \`inject_into: body_json\`; it is \`${node.inject_into}\`.`
    return [invalid('field_path', message, 'Use `field_name` here, or inject into `body_json`.')]
  }
  return []
}

function apiKey(node: JsonObject): Broken[] {
  const given = ['header', 'inject_into'].filter((field) => isFilled(node[field]))
  if (given.length === 1) return []
  const hint = 'Keep `inject_into` with a RequestOption, or `header` with the name of a header.'
  return given.length === 0
    ? [missing('The ApiKeyAuthenticator does not say where the key goes.', hint)]
    : [invalid('header', `The ApiKeyAuthenticator has both ${listed(given, 2, 'and')}.`, hint)]
}

function missing(message: string, hint: string): Broken {
  return { code: 'manifest/missing-field', message, field: undefined, hint }
}

function invalid(field: string, message: string, hint: string): Broken {
  return { code: 'manifest/invalid-value', message, field, hint }
}
