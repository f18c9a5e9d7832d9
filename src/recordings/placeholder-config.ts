/** A config → the one a replay reads with: placeholders for secrets, every other value as it is. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { checkConfig } from '../engine/plan/config.ts'
import type { Config } from '../engine/plan/plan.ts'
import { isCredentialName } from '../engine/secrets/credential-names.ts'
import { secretsOf } from '../engine/secrets/find-secrets.ts'
import { escapePattern } from '../std/text/escape-pattern.ts'
import { isList, isObject } from '../std/values/objects.ts'
import type { SecretPlaceholders } from './placeholders.ts'

/**
 * Learns every secret of the config. `isPublic`: the manifest itself contains this text, so it is no secret elsewhere. `parts`: secrets
 * that the read used; where a secret is made of them, as several tokens in one text are, each becomes a word of its own.
 */
export function placeholderConfig(
  manifest: LoadedManifest,
  config: Config,
  placeholders: SecretPlaceholders,
  isPublic: (text: string) => boolean,
  preferred: PlaceholderForm = 'word',
  parts: readonly string[] = [],
): Config {
  const secrets = new Set(secretsOf(manifest, config).filter((one) => typeof one === 'string'))
  const chosen = fittingForm(manifest, config, secrets, preferred)
  const own = new Map<string, string>()
  const words = chosen === 'word' ? parts.filter((part) => !isPublic(part)) : []
  const made = replacedConfig(config, '', {
    secrets,
    learn(secret, name) {
      const known = own.get(secret)
      if (known !== undefined) return known
      const form = isPrivateKey(secret)
        ? keyMark(secret, name)
        : (inWords(secret, words, (part) => placeholders.learn(part, name)) ?? formed(secret, own.size, chosen))
      // A word of the manifest is in requests and responses for other reasons.
      const text = isPublic(secret) ? (form ?? `placeholder_${name}`) : placeholders.learn(secret, name, form)
      own.set(secret, text)
      return text
    },
  }) as Config
  for (const secret of secrets) if (!isPublic(secret)) placeholders.learn(secret, 'derived')
  return made
}

/** Shorter ones may be in a text by chance. */
const shortestPart = 4

/** Undefined where anything but separators is left of the secret: that would stay in the file. */
function inWords(secret: string, parts: readonly string[], learn: (part: string) => string): string | undefined {
  const inside = parts.filter((part) => part !== secret && part.length >= shortestPart && secret.includes(part))
  if (inside.length === 0) return undefined
  // In one go, the longest first: a part may also be in the word that another became.
  const longestFirst = inside.toSorted((one, other) => other.length - one.length)
  const pattern = new RegExp(longestFirst.map(escapePattern).join('|'), 'g')
  return /[\p{L}\p{N}]/u.test(secret.replaceAll(pattern, '')) ? undefined : secret.replaceAll(pattern, learn)
}

type Replacing = {
  readonly secrets: ReadonlySet<string>
  readonly learn: (secret: string, name: string) => string
}

function replacedConfig(value: unknown, name: string, how: Replacing): unknown {
  if (isList(value)) return value.map((member) => replacedConfig(member, name, how))
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replacedConfig(member, key, how)]))
  }
  const isSecret = (typeof value === 'string' || typeof value === 'number') && how.secrets.has(String(value))
  if (!isSecret) return value
  if (typeof value === 'number') return Number(how.learn(String(value), name))
  const inside = jsonObject(value)
  if (inside === null) return how.learn(value, name)
  // A file of a service account, as text: its names and addresses are no secrets, its key is one.
  const secrets = new Set(
    leavesNamed(inside)
      .filter(([key, text]) => isCredentialName(key) || isPrivateKey(text))
      .map(([, text]) => text),
  )
  return JSON.stringify(replacedConfig(inside, name, { ...how, secrets }))
}

function leavesNamed(value: unknown, name = ''): [string, string][] {
  if (isList(value)) return value.flatMap((member) => leavesNamed(member, name))
  if (isObject(value)) return Object.entries(value).flatMap(([key, member]) => leavesNamed(member, key))
  return typeof value === 'string' ? [[name, value]] : []
}

function jsonObject(text: string): Record<string, unknown> | null {
  if (!/^\s*\{/.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/**
 * `word`: a name that people can read. `shape`: the separators of the secret, and other letters and digits, where templates
 * split it or the spec has a pattern. `kind`: the same after the words that the pattern asks for, `sk_live_`.
 */
export type PlaceholderForm = 'word' | 'shape' | 'kind'

/** The first form that the spec accepts. */
function fittingForm(
  manifest: LoadedManifest,
  config: Config,
  secrets: ReadonlySet<string>,
  preferred: PlaceholderForm,
): PlaceholderForm {
  if (!isValid(manifest, config)) return preferred
  const forms: readonly PlaceholderForm[] = preferred === 'word' ? ['word', 'shape', 'kind'] : ['shape', 'kind']
  const fits = (form: PlaceholderForm) => {
    const learn = (secret: string, name: string) => formed(secret, 0, form) ?? `placeholder_${name}`
    return isValid(manifest, replacedConfig(config, '', { secrets, learn }) as Config)
  }
  return forms.find(fits) ?? preferred
}

/** Undefined for a word, which the placeholders choose. */
function formed(secret: string, index: number, form: PlaceholderForm): string | undefined {
  return form === 'word' ? undefined : shapeOf(secret, index, form === 'kind')
}

function isValid(manifest: LoadedManifest, config: Config): boolean {
  try {
    checkConfig(manifest, config)
    return true
  } catch {
    return false
  }
}

/** `sk_live_12ab` → `xx_xxxx_11xx`; another letter for each secret, so that no two are the same. */
function shapeOf(secret: string, index: number, keepsKind: boolean): string {
  const small = String.fromCharCode(97 + ((23 + index) % 26))
  const [kind] = keepsKind ? (/^(?:[A-Za-z]{1,5}[-_.:]){1,2}/.exec(secret) ?? ['']) : ['']
  const rest = secret
    .slice(kind.length)
    .replaceAll(/[a-z]/g, small)
    .replaceAll(/[A-Z]/g, small.toUpperCase())
    .replaceAll(/\d/g, String((index + 1) % 10))
  return kind + rest
}

function isPrivateKey(text: string): boolean {
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)
}

function keyMark(pem: string, name: string): string {
  return `placeholder_${name.replaceAll(/\W+/g, '_')}_${keyKind(pem)}_private_key`
}

type KeyKind = 'rsa' | 'ec' | 'ed25519'

function keyKind(pem: string): KeyKind {
  try {
    const kind = createPrivateKey(pem.replaceAll('\\n', '\n')).asymmetricKeyType
    return kind === 'ec' || kind === 'ed25519' ? kind : 'rsa'
  } catch {
    return 'rsa'
  }
}

const keyMarks = /^placeholder_\w*_(rsa|ec|ed25519)_private_key$/

/** The config to replay with: a key that signs is made for each replay, so that none has to be in a file. */
export function withThrowawayKeys(config: Config): Config {
  return keyed(config) as Config
}

function keyed(value: unknown): unknown {
  if (isList(value)) return value.map(keyed)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, keyed(member)]))
  if (typeof value !== 'string' || !value.includes('_private_key')) return value
  const kind = keyMarks.exec(value)?.[1]
  if (kind !== undefined) return makeKey(kind as KeyKind)
  const inside = jsonObject(value)
  return inside === null ? value : JSON.stringify(keyed(inside))
}

function makeKey(kind: KeyKind): string {
  const { privateKey } =
    kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : kind === 'ec'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}
