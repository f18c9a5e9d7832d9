/** A URL `postgres://…` → what may be shown of it, and how to connect. */
import { isUrl } from '../../std/text/is-url.ts'
import { ConnectorError } from '../../std/errors.ts'

export type Address = {
  /** Without password and parameters: `postgres://user@host:5432/shop`. */
  readonly shown: string
  /** The schema of the tables. */
  readonly schema: string
  /** Connection strings to try in order. */
  readonly attempts: readonly string[]
}

/** `?schema=` names the schema, `?sslmode=` means what it means to psql; every other parameter is for the driver. */
export function parseAddress(text: string, schema?: string): Address {
  const url = parseUrl(text)
  const { searchParams: parameters } = url
  const host = parameters.get('host') ?? decodeURIComponent(url.hostname)
  const named = schema ?? parameters.get('schema')
  parameters.delete('schema')
  return {
    shown: shown(url, host),
    schema: named === null || named === '' ? 'public' : named,
    attempts: tlsModes(parameters, host).map((mode) => withTls(url, mode)),
  }
}

function parseUrl(text: string): URL {
  // The address may have a user and no host; the URL parser requires both.
  for (const spelling of [text, text.replace('@/', '@localhost/')]) {
    if (!/^postgres(?:ql)?:\/\//.test(text) || !isUrl(spelling)) continue
    const url = new URL(spelling)
    if (!isCutPassword(url)) return url
  }
  // The address is not repeated: it may hold a password.
  throw new ConnectorError('destinations/unknown', 'The address of the Postgres database is not a URL.', {
    hint: 'Write postgres://USER:PASSWORD@HOST:PORT/DATABASE; percent-encode special characters of the password: @ is %40, / is %2F.',
  })
}

/** `/`, `?` and `#` in a password end the login: the `@` in front of the host is then in what follows, after a part of the password. */
function isCutPassword({ hostname, pathname, searchParams, hash }: URL): boolean {
  return /%40/.test(hostname) || [pathname, hash, ...searchParams.keys()].some((part) => part.includes('@'))
}

function shown(url: URL, host: string): string {
  const user = url.searchParams.get('user') ?? url.username
  const port = url.searchParams.get('port') ?? url.port
  const place = `${host === '' ? 'localhost' : host}${port === '' ? '' : `:${port}`}`
  return `postgres://${user === '' ? '' : `${user}@`}${place}${url.pathname}`
}

/** The default of psql: TLS if the server supports it, without verifying the certificate. A socket needs no TLS. */
function tlsModes(parameters: URLSearchParams, host: string): readonly string[] {
  if (host.startsWith('/')) return ['disable']
  const written = parameters.get('sslmode')
  const mode = written || process.env.PGSSLMODE || 'prefer'
  // The driver takes an unknown mode for `verify-full`, and the error is about the certificate.
  if (!modes.includes(mode) && !(mode === 'no-verify' && isForDriver(parameters))) {
    const owner = written ? 'The address of the Postgres database' : 'The environment variable PGSSLMODE'
    const message = `${owner} has an unknown sslmode: ${mode}.`
    throw new ConnectorError('destinations/unknown', message, {
      hint: `Use one of these: ${modes.join(', ')}. \`require\` encrypts without verifying the certificate.`,
    })
  }
  return mode === 'prefer' || mode === 'allow' ? ['prefer', 'disable'] : [mode]
}

/** `uselibpqcompat=false`: the modes are those of the driver, which has one more. */
function isForDriver(parameters: URLSearchParams): boolean {
  return parameters.has('uselibpqcompat') && parameters.get('uselibpqcompat') !== 'true'
}

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

function withTls(url: URL, mode: string): string {
  const changed = new URL(url)
  changed.searchParams.set('sslmode', mode)
  if (!changed.searchParams.has('uselibpqcompat')) changed.searchParams.set('uselibpqcompat', 'true')
  return changed.href
}
