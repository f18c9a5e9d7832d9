/** A manifest's spec → configs that fit it: one for each way to sign in, whatever else may be chosen taken first. */
import { generateKeyPairSync } from 'node:crypto'
import type { Component, Manifest } from '../../engine/manifest/manifest.ts'
import { checkConfig, connectionSpecification } from '../../engine/plan/config.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { compileTemplate } from '../../engine/template/template.ts'
import { pythonText } from '../../engine/template/text.ts'
import { isObject } from '../../std/values/objects.ts'
import { schemaPattern } from '../../std/text/schema-pattern.ts'
import { dateText, now, start } from './calendar.ts'
import { componentsInside, textField, textsIn } from './find-components.ts'
import { type DateFormats, dateFormatsOf, isDateField, parsedWith } from './config-dates.ts'
import { leavesOf } from './field-sources.ts'
import { sampleOf } from './pattern-sample.ts'
import { type MirrorPath, putValue } from './put-value.ts'
import { valueAt } from '../../std/values/get-at.ts'
import { parametersOf } from '../../engine/plan/read-fields.ts'
import { readsOf } from './template-reads.ts'

/** The first is meant for every stream; the others differ in the choices of the spec. */
export function configsFor(manifest: Manifest): Config[] {
  const schema = connectionSpecification(manifest)
  if (schema === null) return [withValidUrls(manifest, configFromReads(manifest))]
  const formats = dateFormatsOf(manifest)
  const count = Math.max(1, ...choicesIn(schema))
  const made = Array.from({ length: count }, (_, variant) => {
    const config = objectOf(schema, { variant, formats }) as Config
    return withPages(manifest, withKeys(manifest, withValidUrls(manifest, config)))
  })
  return made.filter((config, index) => index === 0 || fits(manifest, config))
}

function fits(manifest: Manifest, config: Config): boolean {
  try {
    checkConfig(manifest, config)
    return true
  } catch {
    return false
  }
}

type Making = { readonly variant: number; readonly formats: ReadonlyMap<string, readonly string[]> }

/** How many branches each choice has. */
function choicesIn(schema: unknown): number[] {
  if (!isObject(schema)) return []
  const branches = branchesOf(schema)
  const inside = isObject(schema.properties) ? Object.values(schema.properties) : []
  return [branches.length, ...[...branches, ...inside].flatMap(choicesIn)]
}

function branchesOf(schema: Schema): Schema[] {
  const branches = schema.oneOf ?? schema.anyOf
  return Array.isArray(branches) ? branches.filter(isObject) : []
}

function valueOf(name: string, schema: Schema, making: Making): unknown {
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return chosenOf(schema, schema.enum)
  const branches = branchesOf(schema)
  const branch = branches[making.variant % branches.length]
  if (branch !== undefined)
    return valueOf(
      name,
      {
        ...schema,
        oneOf: undefined,
        anyOf: undefined,
        ...branch,
        properties: { ...(schema.properties as object), ...(branch.properties as object) },
      },
      making,
    )
  if (isDateField(name, schema, making.formats)) return dateOf(name, schema, making.formats)
  const given = schema.default ?? firstExample(schema)
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, making)
    case 'array':
      return listOf(name, schema, given, making)
    case 'integer':
    case 'number':
      return numberOf(schema, given)
    case 'boolean':
      return schema.default ?? false
    default:
      return configText(name, schema, given)
  }
}

/** An enum of lists can only be left out. */
function chosenOf(schema: Schema, choices: readonly unknown[]): unknown {
  const choice = schema.default ?? choices.find((value) => value !== null && value !== '')
  return typeOf(schema) === 'array' && !Array.isArray(choice) ? undefined : choice
}

function objectOf(schema: Schema, making: Making): Record<string, unknown> {
  const branch = branchesOf(schema)[making.variant % Math.max(1, branchesOf(schema).length)] ?? {}
  const properties = { ...(schema.properties as object), ...(branch.properties as object) }
  const required = [schema.required, branch.required].flat()
  const members = Object.entries(properties).flatMap(([name, member]) => {
    if (!isObject(member)) return []
    const isNeeded = required.includes(name)
    const value = valueOf(name, member, making)
    return value === undefined || (value === '' && !isNeeded) ? [] : [[name, value] as const]
  })
  return Object.fromEntries(members)
}

function listOf(name: string, schema: Schema, given: unknown, making: Making): unknown {
  const { items } = schema
  if (Array.isArray(given) && given.length > 0) return given
  if (!isObject(items)) return given === undefined ? ['acme'] : [given]
  if (Array.isArray(items.enum)) return items.enum.slice(0, 2)
  return [isObject(given) ? given : valueOf(name, items, making)]
}

export type Schema = Readonly<Record<string, unknown>>

function typeOf(schema: Schema): unknown {
  if (Array.isArray(schema.type)) return schema.type.find((type) => type !== 'null')
  return schema.type ?? (schema.properties === undefined ? 'string' : 'object')
}

function numberOf(schema: Schema, given: unknown): number {
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = schema as { minimum?: number; maximum?: number }
  const wanted = given === undefined || given === '' ? Number.NaN : Number(given)
  const value = Number.isFinite(wanted) ? wanted : 10
  return Math.min(maximum, Math.max(minimum, value))
}

function configText(name: string, schema: Schema, given: unknown): string {
  const pattern = typeof schema.pattern === 'string' ? schema.pattern : null
  const candidates = [given, nameLike(name)].filter((value) => value !== undefined && value !== '').map(String)
  if (pattern === null) return candidates[0] ?? 'acme'
  return candidates.find((text) => matches(pattern, text)) ?? sampleOf(pattern) ?? 'acme'
}

/** Distinct per field, so that no two secrets look alike. */
function nameLike(name: string): string {
  if (/e?mail/i.test(name)) return 'someone@acme.example.com'
  return `${name.replaceAll(/[^a-z]/gi, '').toLowerCase()}x1`
}

function dateOf(name: string, schema: Schema, formats: DateFormats): unknown {
  const at = isEnd(name) ? now : start
  const texts = (formats.get(name) ?? []).map((format) => dateText(at, format))
  const pattern = typeof schema.pattern === 'string' ? schema.pattern : null
  const text = texts.find((one) => pattern === null || matches(pattern, one)) ?? texts[0] ?? dateText(at, '%Y-%m-%d')
  return typeOf(schema) === 'integer' ? Number(text) : text
}

function isEnd(name: string): boolean {
  return /end|until|before|stop|(?:^|_)to(?:_|$)/i.test(name)
}

function firstExample({ examples, example }: Schema): unknown {
  return Array.isArray(examples) ? (examples as unknown[])[0] : (example ?? examples)
}

function matches(pattern: string, text: string): boolean {
  return schemaPattern(pattern)?.test(text) ?? true
}

/** Values that a part of an address may need to be. */
const hosts = ['acme', 'acme.example.com', 'https://acme.example.com', 'https://acme.example.com/']

/** Fields that addresses are made of are changed until every address is one. */
function withValidUrls(manifest: Manifest, config: Config): Config {
  return componentsInside(manifest.root).reduce((known, component) => {
    for (const field of ['url_base', 'url', 'token_refresh_endpoint', 'login_url', 'api_url']) {
      const template = component[field]
      if (typeof template === 'string') known = withAddress(component, template, known)
    }
    return known
  }, config)
}

function withAddress(component: Component, template: string, config: Config): Config {
  if (isAddress(component, template, config)) return config
  for (const path of configPaths(template)) {
    for (const host of hosts) {
      const changed = putValue(config, path, host) as Config
      if (isAddress(component, template, changed)) return changed
    }
  }
  return config
}

/** What is not known before a request is left unchanged. */
function isAddress(component: Component, template: string, config: Config): boolean {
  try {
    const text = pythonText(compileTemplate(template).evaluate({ config, parameters: parametersOf(component) }))
    return /^https?:\/\/[\w.-]+(?:[:/?]|$)/.test(text)
  } catch {
    return /next_page_token|stream_|creation_|polling_|download_/.test(template)
  }
}

function configPaths(template: string): MirrorPath[] {
  return readsOf(template)
    .reads.filter(({ root, path }) => root === 'config' && path.length > 0)
    .map(({ path }) => path)
}

/** For manifests without a spec: every value that their templates read. */
function configFromReads(manifest: Manifest): Config {
  const paths = leavesOf(textsIn(manifest.root).flatMap(configPaths))
  const formats = parsedWith(manifest)
  const sampleFor = (name: string) => namedValue(name, formats.get(name)?.[0] ?? '%Y-%m-%dT%H:%M:%SZ')
  return paths.reduce((config: unknown, path) => putValue(config, path, sampleFor(String(path.at(-1)))), {}) as Config
}

function namedValue(name: string, format: string): string | number {
  if (/date|since|(?:^|_)(?:start|end)(?:_|$)/.test(name)) return dateText(/end/.test(name) ? now : start, format)
  return /size|limit|days|window|num|count|workers|level/.test(name) ? 10 : `${name.replaceAll(/\W/g, '')}x1`
}

let pem: string | undefined

/** Made once: it takes a tenth of a second. */
function privateKey(): string {
  pem ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
  return pem
}

/** Where a token is signed with a private key, the config holds one. */
function withKeys(manifest: Manifest, config: Config): Config {
  const signers = componentsInside(manifest.root).filter(
    ({ type, algorithm }) => type === 'JwtAuthenticator' && /^[REP]S/.test(String(algorithm)),
  )
  return signers.reduce((known, { secret_key }) => {
    const paths = configPaths(String(secret_key)).filter((path) => typeof valueAt(known, path) === 'string')
    const key = String(secret_key).includes('json_loads') ? serviceAccount() : privateKey()
    return paths.reduce((given, path) => putValue(given, path, key) as Config, known)
  }, config)
}

/** The file that Google gives for one, as text. */
function serviceAccount(): string {
  return JSON.stringify({
    type: 'service_account',
    client_email: 'someone@acme.example.com',
    private_key_id: 'key1',
    private_key: privateKey(),
    token_uri: 'https://oauth2.googleapis.com/token',
  })
}

/** A config that says to stop at the first page shows nothing of the others. */
function withPages(manifest: Manifest, config: Config): Config {
  return componentsInside(manifest.root).reduce((known, component) => {
    const limits = configPaths(textField(component, 'stop_condition')).filter(
      (path) => typeof valueAt(known, path) === 'number',
    )
    return limits.reduce(
      (given, path) => putValue(given, path, Math.max(5, Number(valueAt(given, path)))) as Config,
      known,
    )
  }, config)
}
