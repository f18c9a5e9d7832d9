/** The destination that a client names → its address. Files stay in TURNLEAF_HOME, databases within the egress policy. */
import { lookup } from 'node:dns/promises'
import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { hasReferences, isFileReference } from '../../connections/references.ts'
import { type FileAddress, isFolderAddress, parseFileAddress } from '../../destinations/file-address.ts'
import { parseAddress } from '../../destinations/postgres/address.ts'
import { type Egress, mayReach } from '../../engine/response/egress.ts'
import { isThere } from '../../std/disk/is-there.ts'
import { ConnectorError } from '../../std/errors.ts'

export type ChosenAddress = {
  /** What is opened. It may hold a password. */
  readonly address: string
  /** How it can be written down: a path from TURNLEAF_HOME, or a reference; null where it may hold a password. */
  readonly written: string | null
}

export type AddressRules = { readonly home: string; readonly egress: Egress }

/** Folders with a meaning of their own: rows do not belong there. */
const reserved = ['connectors', 'connections']

export async function chooseAddress(given: string, rules: AddressRules): Promise<ChosenAddress> {
  const file = parseFileAddress(given)
  if (file !== null) return addressInHome(file, rules.home)
  const [, variable] = /^\$\{([A-Za-z_]\w*)\}$/.exec(given) ?? []
  if (variable !== undefined) return { address: fromEnvironment(variable), written: given }
  // A reference within an address could send any variable of the server to any host.
  if (given.includes('${')) throw refused('A reference must be the whole address.')
  if (!/^postgres(?:ql)?:\/\//.test(given)) {
    throw refused('It is none of duckdb:FILE, parquet:FOLDER, jsonl:FOLDER, postgres://… and ${NAME}.')
  }
  await checkDatabase(given, rules.egress)
  return { address: given, written: null }
}

/** The schema of this name, where the address can have one and does not name it. */
export function schemaFor(address: string, name: string): string | undefined {
  return isFolderAddress(address) || /[?&]schema=./.test(address) ? undefined : name
}

/** The user who starts the server sets its environment, so the egress policy does not apply. */
function fromEnvironment(name: string): string {
  const value = process.env[name]
  if (value !== undefined && /^postgres(?:ql)?:\/\//.test(value)) return value
  const reason = value === undefined || value === '' ? 'is not set' : 'is not the address of a Postgres database'
  throw refused(`The environment variable ${name} of the server ${reason}.`)
}

async function addressInHome({ kind, path }: FileAddress, home: string): Promise<ChosenAddress> {
  const root = await realpath(home)
  const target = resolve(root, path)
  const inside = relative(root, target)
  const parts = inside.split(sep)
  const isOutside = inside === '' || parts[0] === '..' || isAbsolute(inside)
  if (path.trim() === '' || path.includes('\0') || isOutside || !isWithin(root, await existing(target))) {
    throw refused(`\`${path}\` is not a path in \`${home}\`, the folder of the server.`)
  }
  if (parts.some((part) => part.startsWith('.')) || reserved.includes(parts[0] ?? '')) {
    throw refused(`\`${path}\` is in a folder that holds something else.`)
  }
  return { address: `${kind}:${join(home, inside)}`, written: `${kind}:${parts.join('/')}` }
}

/** The real path of the deepest part that exists: a link may lead out, also one whose target does not exist yet. */
async function existing(path: string): Promise<string> {
  const found = await realpath(path).catch(() => null)
  if (found !== null) return found
  // A link that leads nowhere yet.
  return (await isThere(path)) ? '' : existing(dirname(path))
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)
}

/**
 * Of a connection, before each run: a name may lead to another host than when the connection was created. An address with a
 * variable is the operator's, since clients cannot write one, and so are paths outside of TURNLEAF_HOME.
 */
export async function checkConnectionAddress(address: string, written: string, egress: Egress): Promise<void> {
  const isOperators = !isFileReference(written) && hasReferences(written)
  if (egress !== 'public-only' || isOperators || !/^postgres(?:ql)?:/.test(address)) return
  await checkDatabase(address, egress)
}

/** Other parameters make the driver read files of this machine, or connect to another host than the address shows. */
const parameters = ['schema', 'sslmode', 'application_name', 'connect_timeout']

async function checkDatabase(given: string, egress: Egress): Promise<void> {
  parseAddress(given)
  const url = new URL(given.replace('@/', '@localhost/'))
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name))
  if (unknown !== undefined) {
    throw refused(`The address has the parameter \`${unknown}\`; ${parameters.join(', ')} are possible.`)
  }
  const host = decodeURIComponent(url.hostname) || 'localhost'
  if (host.startsWith('/')) throw refused('The address names a socket of the server; write a host.')
  // Without them the driver uses those of the server's own environment.
  if (egress === 'public-only' && (url.username === '' || url.password === '')) {
    throw refused('The address needs a user and a password.')
  }
  const found = await lookup(host.replace(/^\[(.*)\]$/, '$1'), { all: true }).catch(() => [])
  if (found.length === 0) throw refused(`The host ${host} is unknown.`)
  if (!found.every(({ address }) => mayReach(address, egress))) {
    throw refused(`The egress policy of the server refuses to connect to ${host}.`)
  }
}

function refused(message: string): ConnectorError {
  return new ConnectorError('server/destination', `This destination cannot be used. ${message}`)
}
