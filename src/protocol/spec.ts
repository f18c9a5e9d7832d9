/** Manifest → SPEC: what a config for it holds. */
import { isObject } from '../std/values/objects.ts'
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { connectionSpecification } from '../engine/plan/config.ts'
import type { JsonSchema } from '../engine/plan/plan.ts'
import { specWithoutManifest } from './injected.ts'
import type { Message } from './messages.ts'

/** For manifests that say nothing: any config will do. */
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

/** The same before there is a manifest. */
export const plainSpecMessage: Message = {
  type: 'SPEC',
  spec: { connectionSpecification: specWithoutManifest, supportsNormalization: false, supportsDBT: false },
}

/** A component as plain data: `type` and `$parameters` mean something to the engine only. */
function withoutTypes(component: object): unknown {
  const { type: _type, $parameters: _parameters, ...fields } = component as Record<string, unknown>
  const { oauth_config_specification: inner, oauth_connector_input_specification: form } = fields
  return {
    ...fields,
    ...(isObject(inner) && { oauth_config_specification: withoutTypes(inner) }),
    // Airbyte: how scopes are joined is always told.
    ...(isObject(form) && { oauth_connector_input_specification: { scopes_join_strategy: 'space', ...form } }),
  }
}
