/** `JwtAuthenticator` → which token to sign, with what. */
import { ConnectorError, type SourceLocation } from '../../../std/errors.ts'
import type { Component } from '../../manifest/manifest.ts'
import type { Parameters, Placement } from '../../plan/plan.ts'
import {
  compileAt,
  type Fields,
  parametersOf,
  placementIn,
  type PlanInput,
  requiredTemplateIn,
  templateIn,
} from '../../plan/read-fields.ts'
import type { Template } from '../../template/template.ts'

/** Names and values as Airbyte's mappings have them: a string is a template, anything else is used as it is. */
export type MappingPlan = readonly {
  readonly name: Template
  readonly value: Template | { readonly literal: unknown }
}[]

/** A token that the connector signs itself. */
export type JwtPlan = {
  readonly kind: 'jwt'
  readonly at: SourceLocation
  readonly algorithm: string
  readonly key: Template
  readonly passphrase: Template | null
  readonly encodesKey: boolean
  readonly durationSeconds: number
  readonly prefix: Template | null
  readonly headers: MappingPlan
  readonly payload: MappingPlan
  readonly placement: Placement
  readonly parameters: Parameters
}

const defaultDurationSeconds = 1200

export function planJwt(input: PlanInput, auth: Component): JwtPlan {
  const headers = (auth.jwt_headers as Fields | undefined) ?? {}
  const payload = (auth.jwt_payload as Fields | undefined) ?? {}
  return {
    kind: 'jwt',
    at: input.manifest.at(auth),
    algorithm: String(auth.algorithm),
    key: requiredTemplateIn(input, auth, 'secret_key'),
    passphrase: templateIn(input, auth, 'passphrase'),
    encodesKey: auth.base64_encode_secret_key === true,
    durationSeconds: Number(auth.token_duration ?? defaultDurationSeconds),
    prefix: templateIn(input, auth, 'header_prefix'),
    headers: [
      ...additional(input, auth, 'additional_jwt_headers', ['kid', 'alg', 'typ', 'cty']),
      ...planNamed(input, { ...headers, typ: headers.typ || 'JWT' }, headers, ['kid', 'typ', 'cty']),
    ],
    payload: [
      ...additional(input, auth, 'additional_jwt_payload', ['iss', 'sub', 'aud', 'iat', 'exp', 'nbf']),
      ...planNamed(input, payload, payload, ['iss', 'sub', 'aud']),
    ],
    placement: placementIn(input, auth, 'request_option') ?? { into: 'header', name: 'Authorization' },
    parameters: parametersOf(auth),
  }
}

/** Names and values of a mapping in the manifest. */
export function planMapping(input: PlanInput, holder: Fields, field: string): MappingPlan {
  const mapping = holder[field] as Fields | undefined | null
  return Object.entries(mapping ?? {}).map(([name, value]) => {
    const at = input.manifest.at(mapping as Fields, name)
    return { name: compileAt(name, at), value: typeof value === 'string' ? compileAt(value, at) : { literal: value } }
  })
}

function additional(input: PlanInput, auth: Component, field: string, reserved: readonly string[]): MappingPlan {
  const mapping = planMapping(input, auth, field)
  const taken = mapping.find(({ name }) => reserved.includes(name.source))
  if (taken === undefined) return mapping
  const message = `\`${field}\` sets \`${taken.name.source}\`, which has a separate field.`
  const hint = `Set ${reserved.map((name) => `\`${name}\``).join(', ')} elsewhere, or leave them to the engine.`
  throw new ConnectorError('manifest/invalid-value', message, { at: input.manifest.at(auth, field), hint })
}

/** Airbyte: those that are empty in the manifest are left out. */
function planNamed(input: PlanInput, values: Fields, written: Fields, names: readonly string[]): MappingPlan {
  return names.flatMap((name) => {
    const value = values[name]
    if (value === undefined || value === null || value === '') return []
    const at = name in written ? input.manifest.at(written, name) : { pointer: '' }
    return [{ name: compileAt(name, at), value: compileAt(value, at) }]
  })
}
