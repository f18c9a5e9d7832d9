/** Manifest → SPEC: the config that it requires. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { connectionSpecification } from '../engine/plan/config.ts'
import type { JsonSchema } from '../engine/plan/plan.ts'
import { specWithoutManifest } from './injected.ts'
import { isObject } from '../std/values/objects.ts'
import type { Message } from './messages.ts'

/** For manifests without a spec. */
const anyConfig: JsonSchema = { type: 'object', additionalProperties: true, properties: {} }

export function specMessage(manifest: LoadedManifest): Message {
  const { spec } = manifest
  const documentationUrl = spec?.documentation_url
  const signIn = spec?.advanced_auth
  return {
    type: 'SPEC',
    spec: {
      connectionSpecification: connectionSpecification(manifest) ?? anyConfig,
      ...(typeof documentationUrl === 'string' && { documentationUrl }),
      ...(typeof signIn === 'object' && signIn !== null && { advanced_auth: withoutTypes(signIn) as JsonSchema }),
      supportsNormalization: false,
      supportsDBT: false,
    },
  }
}

/** For the command without a manifest. */
export const plainSpecMessage: Message = {
  type: 'SPEC',
  spec: { connectionSpecification: specWithoutManifest, supportsNormalization: false, supportsDBT: false },
}

/** A component as plain data, without the engine's `type` and `$parameters`. */
function withoutTypes(component: object): unknown {
  const { type: _type, $parameters: _parameters, ...fields } = component as Record<string, unknown>
  const { oauth_config_specification: inner, oauth_connector_input_specification: form } = fields
  return {
    ...fields,
    ...(isObject(inner) && { oauth_config_specification: withoutTypes(inner) }),
    // Airbyte: the separator of scopes is always included.
    ...(isObject(form) && { oauth_connector_input_specification: { scopes_join_strategy: 'space', ...form } }),
  }
}
