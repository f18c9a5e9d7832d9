/**
 * Secrets that MCP clients may refer to as `${NAME}`: named when the server starts, each with the origins that its value may be
 * sent to. A client writes manifests, so whatever a template can see, the client can read. Therefore the config gets a marker,
 * and the value takes its place only in requests as they leave (`server/secrets/secret-network.ts`).
 */
import { isCredentialName } from '../engine/secrets/credential-names.ts'
import { replaceVariables } from '../connections/references.ts'
import { type BoundSecret, markerOf, shortestHidden } from '../server/secrets/secret-network.ts'
import { ConnectorError } from '../std/errors.ts'
import { isList, isObject } from '../std/values/objects.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Those of the options, and those that TURNLEAF_MCP_SECRETS lists. */
export function mcpSecrets(given: readonly string[], environment: Environment): BoundSecret[] {
  const listed = (environment.TURNLEAF_MCP_SECRETS ?? '').split(/\s+/).filter((one) => one !== '')
  return [...given, ...listed].map((one) => parseSecret(one, environment))
}

/**
 * `NAME=ORIGIN`, or several origins with commas between. The value is the environment variable of that name.
 *
 * @example parseSecret('SHOP_TOKEN=https://api.shop.example', process.env)
 */
export function parseSecret(text: string, environment: Environment): BoundSecret {
  const [, name, listed] = /^([A-Za-z_]\w*)=(\S+)$/.exec(text) ?? []
  // The text is not repeated: it may be a secret given by mistake.
  if (name === undefined || listed === undefined) throw refused('A secret is not written as NAME=ORIGIN.')
  const origins = listed.split(',').map((origin) => {
    const url = URL.canParse(origin) ? new URL(origin) : null
    if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
      throw refused(`The secret ${name} has an address that is not an origin.`)
    }
    return url.origin
  })
  const value = environment[name] ?? ''
  if (value.length < shortestHidden) {
    const what = value === '' ? 'is not set' : `has fewer than ${shortestHidden} characters`
    throw refused(`The environment variable ${name} ${what}.`, `Set it: export ${name}=…`)
  }
  return { name, value, origins }
}

function refused(message: string, hint = 'Write for example SHOP_TOKEN=https://api.shop.example.'): ConnectorError {
  return new ConnectorError('mcp/invalid-secret', message, { hint })
}

/** The value with a marker in place of each reference. Throws for a name that was not allowed, and for files. */
export function markReferences<T>(value: T, secrets: readonly BoundSecret[]): T {
  const mark = (one: unknown): unknown => {
    if (typeof one === 'string') return markText(one, secrets)
    if (isList(one)) return one.map(mark)
    if (!isObject(one)) return one
    return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, mark(member)]))
  }
  return mark(value) as T
}

function markText(text: string, secrets: readonly BoundSecret[]): string {
  if (text.startsWith('file:')) {
    throw new ConnectorError('mcp/secret-refused', 'References to files are not filled in for MCP clients.')
  }
  return replaceVariables(text, (name) => {
    const secret = secrets.find((one) => one.name === name)
    if (secret !== undefined) return markerOf(secret)
    const known = secrets.map((one) => `\${${one.name}}`).join(', ')
    const message = `\${${name}} is not a secret of this server; it has ${known === '' ? 'none' : known}.`
    throw new ConnectorError('mcp/secret-refused', message)
  })
}

/** Throws for a secret that is written out: it would be in the client's transcript. */
export function refuseLiteralSecrets(config: unknown, schema: unknown, secrets: readonly BoundSecret[]): void {
  const isMarked = (text: string) => secrets.some((secret) => text.includes(markerOf(secret)))
  const check = (value: unknown, name: string, schemas: readonly unknown[]): void => {
    if (isList(value)) for (const item of value) check(item, name, itemsOf(schemas))
    else if (isObject(value)) {
      for (const [key, member] of Object.entries(value)) check(member, key, propertyOf(schemas, key))
    } else if (typeof value === 'string' && value !== '' && !isMarked(value)) {
      const isDeclared = schemas.some((one) => isObject(one) && one.airbyte_secret === true)
      // A few digits are no secret.
      const isNamed = isCredentialName(name) && !/^\d{0,9}$/.test(value)
      if (isDeclared || isNamed) throw new ConnectorError('mcp/literal-secret', `\`${name}\` is a secret, written out.`)
    }
  }
  check(config, '', withChoices([schema]))
}

/** A schema, and what its choices add to it. */
function withChoices(schemas: readonly unknown[]): unknown[] {
  return schemas.flatMap((schema) => {
    if (!isObject(schema)) return []
    const choices = [schema.oneOf, schema.anyOf, schema.allOf].flatMap((one) => (isList(one) ? one : []))
    return [schema, ...withChoices(choices)]
  })
}

function propertyOf(schemas: readonly unknown[], name: string): unknown[] {
  return withChoices(
    schemas.flatMap((schema) => {
      const properties = isObject(schema) ? schema.properties : undefined
      return isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []
    }),
  )
}

function itemsOf(schemas: readonly unknown[]): unknown[] {
  return withChoices(schemas.flatMap((schema) => (isObject(schema) ? [schema, schema.items] : [])))
}
