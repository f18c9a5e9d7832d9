/** What was chosen for a sync → a connection on disk, which a schedule can run without the tab. */
import { relative, resolve } from 'node:path'
import { addConnection } from '../../connections/add-connection.ts'
import type { Connection } from '../../connections/connection.ts'
import { listConnections } from '../../connections/find-connection.ts'
import { hasReferences, isFileReference, referencedVariables } from '../../connections/references.ts'
import { parseSchedule } from '../../connections/schedule.ts'
import { loadManifest } from '../../connector/load-manifest.ts'
import { parseFileAddress, withPath } from '../../destinations/file-address.ts'
import { destinationAt } from '../../destinations/open-destination.ts'
import { withoutPasswords } from '../../destinations/without-passwords.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { secretsOf } from '../../engine/secrets/find-secrets.ts'
import type { Egress } from '../../engine/response/egress.ts'
import { ConnectorError } from '../../std/errors.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import { chooseAddress, schemaFor } from '../destinations/choose-address.ts'
import { configLeaves } from '../secrets/config-leaves.ts'
import type { SavedManifest } from '../syncs/syncs.ts'
import { parseStoredReference } from '../wire/stored-reference.ts'
import type { ConnectionRequest, SavedConnection } from '../wire/connection.ts'

export type CreatingOptions = {
  readonly home: string
  readonly egress: Egress
  /** On this user's own machine: then the config may name its variables, and what the store has. */
  readonly withStoredValues: ((config: Config) => Promise<Config>) | null
}

export async function createConnection(
  connector: string,
  request: ConnectionRequest,
  saved: SavedManifest,
  { home, egress, withStoredValues }: CreatingOptions,
): Promise<Connection> {
  const { name = connector, config: given = {}, to, streams, mode, require, secrets = 'environment' } = request
  if (request.schedule !== undefined) parseSchedule(request.schedule)
  const manifest = loadManifest(saved.text, { folder: saved.folder, file: 'manifest.yaml' })
  if (configLeaves(given).some(({ value }) => isRefused(value, withStoredValues !== null))) {
    throw new ConnectorError('connections/plain-secret', 'A value of the config is a reference.', {
      hint: 'Create the connection with its value, and write the reference into its file.',
    })
  }
  const config = (await withStoredValues?.(given)) ?? given
  const known = new Set(secretsOf(manifest, config))
  const { address, schema } = await destinationOf(to, name, { home, egress })
  if (secrets === 'environment' && withoutPasswords(address) !== address) {
    throw new ConnectorError('connections/plain-secret', 'The address of the database has a password.', {
      hint: 'Name an environment variable of the server that holds the address, ${NAME}, or store secrets in files.',
    })
  }
  const named = async () =>
    fromEnvironment(config, [name], { known, taken: await takenVariables(home, config) }) as Config
  const { connection } = await addConnection(
    {
      name,
      connector,
      config: secrets === 'environment' ? await named() : config,
      to: address,
      schema,
      streams,
      mode,
      require,
    },
    home,
  )
  return connection
}

/** A reference of a client could send any file or variable of the server to any API. */
function isRefused(value: unknown, isOwnMachine: boolean): boolean {
  return isOwnMachine ? isFileReference(value) : hasReferences(value) || parseStoredReference(value) !== null
}

async function destinationOf(
  to: string | undefined,
  name: string,
  rules: Pick<CreatingOptions, 'home' | 'egress'>,
): Promise<{ address: string; schema: string | undefined }> {
  const { address, written } = await chooseAddress(to ?? 'duckdb:turnleaf.duckdb', rules)
  const schema = schemaFor(address, name)
  destinationAt(address, { schema })
  if (parseFileAddress(address) === null) return { address: written ?? address, schema }
  // As a relative path, so that the home can be moved.
  return { address: withPath(address, (path) => relative('', resolve(path))), schema }
}

/** Those that this config refers to already, and those of the other connections. */
async function takenVariables(home: string, config: Config): Promise<Set<string>> {
  const others = (await listConnections(home)).flatMap((one) => ('connection' in one ? [one.connection.config] : []))
  return new Set(referencedVariables([config, ...others]))
}

type Naming = { readonly known: ReadonlySet<unknown>; readonly taken: Set<string> }

/** Each secret → a reference. The prefix keeps a client from naming other variables of the server. */
function fromEnvironment(value: unknown, path: readonly string[], naming: Naming): unknown {
  if (isList(value)) return value.map((one, index) => fromEnvironment(one, [...path, String(index)], naming))
  if (isObject(value)) {
    const members = Object.entries(value).map(([key, one]) => [key, fromEnvironment(one, [...path, key], naming)])
    return Object.fromEntries(members)
  }
  if (value === '' || !naming.known.has(value) || hasReferences(value)) return value
  return `\${${variableOf(path, naming.taken)}}`
}

/** `auth.key` and `auth_key` of one connection, or of `shop-eu` and `shop_eu`, are two variables. */
function variableOf(path: readonly string[], taken: Set<string>): string {
  const base = `INPUT_${path.join('_').replaceAll(/\W/g, '_').toUpperCase()}`
  let name = base
  for (let count = 2; taken.has(name); count++) name = `${base}_${count}`
  taken.add(name)
  return name
}

export function shownConnection(
  { name, file, folder, config, destination, streams, require, schedule }: Connection,
  home: string,
): SavedConnection {
  const needed = referencedVariables([config, destination])
  return {
    name,
    file: relative(resolve(home), resolve(file)),
    to: destination === null ? null : shownDestination(destination, folder, home),
    streams: streams === null ? null : [...streams],
    require,
    isScheduled: schedule !== null,
    missing: needed.filter((one) => (process.env[one] ?? '') === ''),
  }
}

/** Paths from TURNLEAF_HOME, not from the folder of the connection. */
function shownDestination(destination: string, folder: string, home: string): string {
  const file = parseFileAddress(destination)
  if (file === null || hasReferences(file.path)) return withoutPasswords(destination)
  return withPath(destination, (path) => {
    const inside = relative(resolve(home), resolve(folder, path))
    return inside.startsWith('..') ? path : inside
  })
}
