/** Manifest × config → every secret in the config, and what templates derive from them. */
import { stringifyJson } from '../../std/json.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { differingPieces } from '../template/differing-pieces.ts'
import { differingTexts } from '../template/differing-texts.ts'
import { compileTemplate, type Scope, uuidKey, withClock } from '../template/template.ts'
import { pythonText } from '../template/text.ts'
import { connectionSpecification } from '../plan/config.ts'
import { isCredentialName } from './credential-names.ts'
import { type PlacedSecret, placeWithin, type SecretPlace } from './placed-secrets.ts'
import type { Config } from '../plan/plan.ts'

/**
 * What the spec marks `airbyte_secret`; what is called as credentials are; what goes into an authenticator, or a header or
 * parameter with the name of a credential; and what templates derive from any of these: slices, parts, other cases, hashes.
 *
 * Without a manifest, names decide.
 *
 * Pieces that are too short to be found in a text are known by their place in a request, and so is what a template
 * makes of a secret together with something that is only known later (a slice, a page token).
 */
export function secretsOf(manifest: Manifest | null, config: Config): (string | PlacedSecret)[] {
  const templates = manifest === null ? [] : templatesIn(manifest)
  const schema = manifest === null ? null : connectionSpecification(manifest)
  const secrets = new Set([
    ...(schema === null ? [] : secretsIn(schema, config)),
    ...namedSecrets(config),
    ...usedSecrets(templates, config),
  ])
  secrets.delete('')
  if (secrets.size === 0) return []
  const scopes = scopesOf(config, secrets)
  const texts = [...secrets, ...derivedSecrets(templates, scopes, secrets)]
  return [...texts, ...placedSecrets(templates, scopes, texts)]
}

/** Values at every path the spec marks `airbyte_secret`. */
export function* secretsIn(schema: unknown, value: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null || value === undefined || value === null) return
  const { airbyte_secret, properties, items, ...rest } = schema as Record<string, unknown>
  if (airbyte_secret === true) yield* textsIn(value)
  if (typeof properties === 'object' && properties !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(properties)) {
      if (Object.hasOwn(value, name)) yield* secretsIn(member, (value as Record<string, unknown>)[name])
    }
  }
  if (Array.isArray(value)) for (const item of value) yield* secretsIn(items, item)
  for (const choice of ['oneOf', 'anyOf', 'allOf'].flatMap((word) => (rest[word] as unknown[] | undefined) ?? [])) {
    yield* secretsIn(choice, value)
  }
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') yield String(value)
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) yield* textsIn(member)
}

/** Values of the config with the name of a credential. A few digits, or a flag, are no secret. */
function* namedSecrets(value: unknown, name = ''): Generator<string> {
  if (isList(value)) for (const member of value) yield* namedSecrets(member, name)
  else if (isObject(value)) for (const [key, member] of Object.entries(value)) yield* namedSecrets(member, key)
  else if (typeof value === 'string' && isCredentialName(name) && !/^\d{0,9}$/.test(value)) yield value
}

type Used = {
  readonly source: string
  readonly parameters: unknown
  /** Its value is a credential, by where it goes. */
  readonly isCredential: boolean
  readonly place: SecretPlace
}

const known = new WeakMap<Manifest, readonly Used[]>()

/** Every template of a manifest that reads the config, once. */
function templatesIn(manifest: Manifest): readonly Used[] {
  const templates = known.get(manifest) ?? collectTemplates(manifest)
  known.set(manifest, templates)
  return templates
}

function collectTemplates(manifest: Manifest): readonly Used[] {
  const found = new Map<string, Used>()
  const seen = new Map<object, Visit[]>()
  const left: Visit[] = [{ node: manifest.root, parameters: {}, isCarrier: false, at: { in: 'words' } }]
  for (let place = left.pop(); place !== undefined && found.size < mostTemplates; place = left.pop()) {
    const { node, isCarrier } = place
    // A definition that several places share is a header in one and a name in another.
    const visits = seen.get(node) ?? []
    if (visits.some((other) => isSameUse(other, place))) continue
    seen.set(node, visits)
    visits.push(place)
    const { parameters } = isObject(node) && isObject(node.$parameters) ? { parameters: node.$parameters } : place
    for (const [name, member] of Object.entries(node)) {
      const at = placeWithin(node, name, place.at)
      if (isObject(member) || isList(member)) {
        if (name === '$parameters' || (at.in === 'words' && dataFields.has(name))) continue
        const carries = isCarrier || carriers.test(name) || isAuthenticator(member)
        left.push({ node: member, parameters, isCarrier: carries, at })
      } else if (typeof member === 'string' && member.includes('config') && member.includes('{')) {
        const isCredential = (isCarrier || isAuthenticator(node)) && isCredentialField(node, name)
        const given = member.includes('parameters') ? stringifyJson(parameters) : ''
        const key = `${String(isCredential)} ${at.in} ${nameIn(at)} ${given} ${member}`
        if (!found.has(key)) found.set(key, { source: member, parameters, isCredential, place: at })
      }
    }
  }
  return [...found.values()]
}

type Visit = {
  readonly node: object
  readonly parameters: unknown
  readonly isCarrier: boolean
  readonly at: SecretPlace
}

function isSameUse(one: Visit, other: Visit): boolean {
  return (
    one.isCarrier === other.isCarrier &&
    one.parameters === other.parameters &&
    one.at.in === other.at.in &&
    nameIn(one.at) === nameIn(other.at)
  )
}

function nameIn(place: SecretPlace): string {
  return ('name' in place ? place.name : null) ?? ''
}

/** A real manifest has some hundreds. */
const mostTemplates = 3000

/** What is data of the author's, and holds no template; in a request they are names like any other. */
const dataFields = new Set(['spec', 'schema', 'metadata'])

/** Where members are named as the API names them. */
const carriers =
  /^(?:request_(?:headers|parameters|body|body_json|body_data)|refresh_request_(?:headers|body)|login_requester)$/

function isAuthenticator(node: object): boolean {
  return isObject(node) && typeof node.type === 'string' && node.type.endsWith('Authenticator')
}

/** Without a password, the user name is an API key. */
function isCredentialField(node: object, name: string): boolean {
  if (name === 'access_token_value') return true
  if (name === 'username') return isAuthenticator(node) && isObject(node) && !node.password
  return isCredentialName(name)
}

/** Values of the config that are a credential, or part of one. */
function usedSecrets(templates: readonly Used[], config: Config): string[] {
  return templates.flatMap(({ source, parameters, isCredential }) => {
    if (!isCredential) return []
    const text = textOf(source, { config, parameters })
    const parts = [...leavesOf(config)].filter(([name, leaf]) => !ordinary.test(name) && isPart(leaf, text))
    return parts.map(([, leaf]) => leaf)
  })
}

/** Shorter ones are in many strings by chance, unless they are the whole string after a scheme. */
function isPart(leaf: string, text: string): boolean {
  return leaf !== '' && (leaf.length >= 6 ? text.includes(leaf) : text.replace(/^\w+ /, '') === leaf)
}

/** Parts of a credential that are no secret. */
const ordinary =
  /(?:^|[-_])(?:e?mail|user(?:name)?|login|domain|subdomain|host|url|region|account|organi[sz]ation|id|type|method|mode|kind|title|name|scheme)$/i

function textOf(source: string, scope: Scope): string {
  try {
    return pythonText(compileTemplate(source).evaluate(scope) ?? '')
  } catch {
    // A template that cannot be evaluated fails where it is used.
    return ''
  }
}

function* leavesOf(value: unknown, name = ''): Generator<readonly [name: string, text: string]> {
  if (typeof value === 'string') yield [name, value]
  else if (isList(value)) for (const member of value) yield* leavesOf(member, name)
  else if (isObject(value)) for (const [key, member] of Object.entries(value)) yield* leavesOf(member, key)
}

type Scopes = (parameters: unknown) => readonly [given: Scope, decoy: Scope]

/** What templates make of secrets is found by evaluating them with other secrets of the same shape, and comparing. */
function scopesOf(config: Config, secrets: ReadonlySet<string>): Scopes {
  const decoy = withDecoys(config, secrets) as Config
  const scopeOf = (given: Config, parameters: unknown): Scope => ({
    config: withClock(given, () => 0),
    parameters,
    [uuidKey]: () => '',
  })
  return (parameters) => [scopeOf(config, parameters), scopeOf(decoy, parameters)]
}

/** Strings that templates make of secrets, long enough to be found anywhere. */
function derivedSecrets(templates: readonly Used[], scopes: Scopes, secrets: ReadonlySet<string>): Set<string> {
  const derived = new Set<string>()
  for (const { source, parameters } of templates) {
    for (const text of differingTexts(source, ...scopes(parameters))) {
      // What is written in the template was only chosen by a secret.
      if (isDistinctive(text) && !source.includes(text)) derived.add(text)
    }
  }
  return smallest(derived, secrets)
}

/** Places of pieces that are not hidden by their text. */
function placedSecrets(templates: readonly Used[], scopes: Scopes, found: readonly string[]): PlacedSecret[] {
  const hidden = found.filter((text) => text.length >= shortestPart)
  const isHidden = (text: string, { in: kind }: SecretPlace) =>
    hidden.includes(text) ||
    // Between known parts of a header or parameter there may be more; an address is better read with its other parts.
    ((kind === 'path' || kind === 'value' || kind === 'words') && hidden.some((part) => text.includes(part)))
  return templates.flatMap(({ source, parameters, place }) => {
    const { texts, isOpaque } = differingPieces(source, ...scopes(parameters))
    const pieces: PlacedSecret[] = [...texts].flatMap((text) => (isHidden(text, place) ? [] : [{ place, text }]))
    return isOpaque ? [...pieces, { place, text: null }] : pieces
  })
}

/** Without the strings that hold a secret, or a shorter string: masking that one leaves the rest of an address readable. */
function smallest(derived: ReadonlySet<string>, secrets: ReadonlySet<string>): Set<string> {
  const kept = new Set<string>()
  const hidden = [...secrets].filter((secret) => secret.length >= shortestPart)
  for (const text of [...derived].toSorted((one, other) => one.length - other.length)) {
    if (hidden.some((part) => text.includes(part))) continue
    kept.add(text)
    hidden.push(text)
  }
  return kept
}

/** Shorter secrets are hidden only where they are a whole value: see `createRedactor`. */
const shortestPart = 4

/** Short pieces are ordinary words, such as the data centre at the end of a key: they are hidden at their place only. */
function isDistinctive(text: string): boolean {
  return text.length >= 8 || (text.length >= 6 && /\d/.test(text) && /\p{L}/u.test(text))
}

/** The same config with other letters and digits in the place of secrets, so that whatever splits or decodes them still does. */
function withDecoys(value: unknown, secrets: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return secrets.has(value) ? turned(value) : value
  if (typeof value === 'number') return secrets.has(String(value)) ? Number(turned(String(value))) : value
  if (isList(value)) return value.map((member) => withDecoys(member, secrets))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withDecoys(member, secrets)]))
}

function turned(text: string): string {
  return text.replaceAll(/[a-z\d]/gi, (character) => {
    if (character === 'z' || character === 'Z') return character === 'z' ? 'a' : 'A'
    return character === '9' ? '1' : String.fromCharCode(character.charCodeAt(0) + 1)
  })
}
