/** Text → an OpenAPI document of version 3, as plain values. Swagger 2.0 is upgraded. */
import { load } from 'js-yaml'
import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0'
import { ConnectorError } from '../../std/errors.ts'
import { isObject, type Members } from '../../std/values/objects.ts'

/** A document of OpenAPI 3, and the version that its author wrote. */
export type OpenApiDocument = { readonly root: Members; readonly version: string }

export function parseOpenApi(text: string): OpenApiDocument {
  const root = parseDescription(text)
  if (!isObject(root)) throw notOpenApi('It is not an object.')
  const version = versionOf(root.openapi ?? root.swagger)
  if (version === '') throw notOpenApi(whatItIs(root))
  if (!isObject(root.paths)) {
    if (isObject(root.webhooks)) throw notOpenApi('It describes webhooks only, which nothing can be read from.')
    throw notOpenApi('It has no `paths`.')
  }
  if (version.startsWith('3.')) return { root, version }
  if (!version.startsWith('2.'))
    throw notOpenApi(`Its version is ${version.slice(0, 20)}; 2.0, 3.0 and 3.1 are supported.`)
  try {
    const upgraded: unknown = upgradeFromTwoToThree({ ...root, swagger: '2.0' })
    if (isObject(upgraded)) return { root: upgraded, version }
  } catch (cause) {
    throw notOpenApi('It is marked as Swagger 2.0 and does not have its form.', cause)
  }
  throw notOpenApi('It is marked as Swagger 2.0 and does not have its form.')
}

/** YAML without quotes makes a number of it. */
function versionOf(value: unknown): string {
  if (typeof value === 'number') return value.toFixed(1)
  return typeof value === 'string' ? value : ''
}

function whatItIs(root: Members): string {
  if (isObject(root.info) && Array.isArray(root.item))
    return 'It is a Postman collection: use `npx turnleaf import postman`.'
  if (isObject(root.log) && Array.isArray(root.log.entries)) return 'It is a HAR file: use `npx turnleaf import har`.'
  if (root.asyncapi !== undefined) return 'It is an AsyncAPI document, which describes messages.'
  if (root.streams !== undefined && root.type === 'DeclarativeSource') return 'It is a manifest already.'
  return 'It has neither `openapi` nor `swagger`.'
}

function notOpenApi(why: string, cause?: unknown): ConnectorError {
  return new ConnectorError('import/not-openapi', `This is not an OpenAPI document. ${why}`, { cause })
}

/** An alias of a text with many aliases multiplies what an upgrade copies. */
const mostAliases = 1000

/** JSON, or YAML. Numbers are those of JavaScript: a description holds no data. */
export function parseDescription(text: string): unknown {
  if (text.trim() === '') throw new ConnectorError('import/unreadable', 'The description is empty.')
  const isJson = /^\uFEFF?\s*[{[]/.test(text)
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    if (isJson && !text.includes('\n')) throw unreadable(cause)
  }
  try {
    return load(text, { maxAliases: mostAliases, maxDepth: 300, json: true })
  } catch (cause) {
    throw unreadable(cause)
  }
}

function unreadable(cause: unknown): ConnectorError {
  const { mark, reason } = cause as { mark?: { line?: number; column?: number }; reason?: string }
  const place =
    mark?.line === undefined ? '' : ` Line ${mark.line + 1}, column ${(mark.column ?? 0) + 1}: ${reason ?? ''}.`
  return new ConnectorError('import/unreadable', `The document is neither JSON nor YAML.${place}`, { cause })
}
