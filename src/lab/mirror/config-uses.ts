/** A config that fits its spec → one that also serves: addresses are addresses, private keys are keys. */
import { generateKeyPairSync } from 'node:crypto'
import { compileTemplate } from '../../engine/template/template.ts'
import { pythonText } from '../../engine/template/text.ts'
import type { Component, Manifest } from '../../engine/manifest/manifest.ts'
import { dateText, now, start } from './calendar.ts'
import { componentsIn, parametersOf, textIn, textsIn } from './components.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { parsedWith } from './config-dates.ts'
import { leavesOf } from './field-sources.ts'
import { type Path, placed, valueAt } from './place.ts'
import { readsOf } from './template-reads.ts'

/** Values that a part of an address may need to be. */
const hosts = ['acme', 'acme.example.com', 'https://acme.example.com', 'https://acme.example.com/']

/** Fields that addresses are made of are changed until every address is one. */
export function withAddresses(manifest: Manifest, config: Config): Config {
  return componentsIn(manifest.root).reduce((known, component) => {
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
      const changed = placed(config, path, host) as Config
      if (isAddress(component, template, changed)) return changed
    }
  }
  return config
}

/** What cannot be told before a request is left alone. */
function isAddress(component: Component, template: string, config: Config): boolean {
  try {
    const text = pythonText(compileTemplate(template).evaluate({ config, parameters: parametersOf(component) }))
    return /^https?:\/\/[\w.-]+(?:[:/?]|$)/.test(text)
  } catch {
    return /next_page_token|stream_|creation_|polling_|download_/.test(template)
  }
}

export function configPaths(template: string): Path[] {
  return readsOf(template)
    .reads.filter(({ root, path }) => root === 'config' && path.length > 0)
    .map(({ path }) => path)
}

/** For manifests without a spec: every value that their templates read. */
export function configFromReads(manifest: Manifest): Config {
  const paths = leavesOf(textsIn(manifest.root).flatMap(configPaths))
  const formats = parsedWith(manifest)
  const valueOf = (name: string) => namedValue(name, formats.get(name)?.[0] ?? '%Y-%m-%dT%H:%M:%SZ')
  return paths.reduce((config: unknown, path) => placed(config, path, valueOf(String(path.at(-1)))), {}) as Config
}

function namedValue(name: string, format: string): string | number {
  if (/date|since|(?:^|_)(?:start|end)(?:_|$)/.test(name)) return dateText(/end/.test(name) ? now : start, format)
  return /size|limit|days|window|num|count|workers|level/.test(name) ? 10 : `${name.replaceAll(/\W/g, '')}x1`
}

let pem: string | undefined

/** One for the whole walk: making it takes a tenth of a second. */
function privateKey(): string {
  pem ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
  return pem
}

/** Where a token is signed with a private key, the config holds one. */
export function withKeys(manifest: Manifest, config: Config): Config {
  const signers = componentsIn(manifest.root).filter(
    ({ type, algorithm }) => type === 'JwtAuthenticator' && /^[REP]S/.test(String(algorithm)),
  )
  return signers.reduce((known, { secret_key }) => {
    const paths = configPaths(String(secret_key)).filter((path) => typeof valueAt(known, path) === 'string')
    const key = String(secret_key).includes('json_loads') ? serviceAccount() : privateKey()
    return paths.reduce((given, path) => placed(given, path, key) as Config, known)
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
export function withPages(manifest: Manifest, config: Config): Config {
  return componentsIn(manifest.root).reduce((known, component) => {
    const limits = configPaths(textIn(component, 'stop_condition')).filter(
      (path) => typeof valueAt(known, path) === 'number',
    )
    return limits.reduce(
      (given, path) => placed(given, path, Math.max(5, Number(valueAt(given, path)))) as Config,
      known,
    )
  }, config)
}
