/** Where the rows of a connector are: the embedded database, destinations chosen before, and those of its connections. */
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { type Connection } from '../../connections/connection.ts'
import { isPath, listConnections } from '../../connections/find-connection.ts'
import { connectionDestination } from '../../connections/open-connection.ts'
import type { Destination } from '../../destinations/destination.ts'
import { withPath } from '../../destinations/file-address.ts'
import { destinationAt } from '../../destinations/open-destination.ts'
import type { Egress } from '../../engine/response/egress.ts'
import { ConnectorError } from '../../std/errors.ts'
import { tableSchemaOf } from '../connectors/table-schema.ts'
import { checkConnectionAddress, chooseAddress, schemaFor } from './choose-address.ts'
import { openChosen } from './chosen.ts'

/** A destination, and the name that runs are stored under. */
export type RunDestination = {
  /** Names it in requests; shows nothing. */
  readonly id: string
  readonly connector: string
  readonly connection: string
  /** Of its tables, where the destination has schemas. */
  readonly schema: string
  /** Without a password. */
  readonly to: string
  readonly destination: Destination
  readonly isEmbedded: boolean
}

/** A destination that cannot even be opened: the environment lacks a variable, or a file has an error. */
export type LostDestination = { readonly to: string; readonly error: ConnectorError }

export type RunDestinations = {
  readonly embedded: (connector: string) => RunDestination
  /** Guards and remembers it: it is listed from then on. */
  readonly choose: (connector: string, to: string | undefined) => Promise<RunDestination>
  readonly find: (connector: string, id: string | undefined) => Promise<RunDestination>
  readonly of: (
    connector: string,
  ) => Promise<{ readonly destinations: readonly RunDestination[]; readonly lost: readonly LostDestination[] }>
  readonly connectionsOf: (connector: string) => Promise<readonly Connection[]>
  /** Of a connection that this server runs; null where its connector is somewhere else. */
  readonly ofConnection: (connection: Connection) => Promise<RunDestination | null>
}

export type RunDestinationsOptions = {
  readonly home: string
  readonly egress: Egress
  /** Of a connection that names none; the embedded database when absent. */
  readonly defaultDestination?: (() => string) | undefined
}

/** A page shows no more, and each costs a connection or a file. */
const mostDestinations = 20

export function openRunDestinations({ home, egress, defaultDestination }: RunDestinationsOptions): RunDestinations {
  const embeddedAddress = `duckdb:${resolve(home, 'turnleaf.duckdb')}`
  const chosen = openChosen(home)

  /** What runs, tables and chosen destinations are stored under: a connector that gets another name keeps it. */
  const storedAs = (connector: string) => tableSchemaOf(home, connector)

  /** Streams of two connectors may have the same name, so each connector has its own schema; the CLI writes to `main`. */
  const embedded = (connector: string, schema = storedAs(connector)): RunDestination => ({
    id: idOf(storedAs(connector), embeddedAddress, schema),
    connector,
    connection: storedAs(connector),
    schema,
    to: embeddedAddress,
    destination: destinationAt(embeddedAddress, { schema }),
    isEmbedded: true,
  })

  async function chosenTarget(connector: string, to: string): Promise<RunDestination & { written: string | null }> {
    const { address, written } = await chooseAddress(to, { home, egress })
    const connection = storedAs(connector)
    const schema = schemaFor(address, connection)
    const destination = destinationAt(address, { schema })
    return {
      id: idOf(connection, destination.address, schema),
      connector,
      connection,
      schema: connection,
      to: wholeAddress(destination.address),
      destination,
      isEmbedded: false,
      written,
    }
  }

  async function connectionPlace(connector: string, connection: Connection): Promise<RunDestination> {
    const destination = await connectionDestination(connection, {
      defaultDestination: defaultDestination ?? (() => embeddedAddress),
      checkDestination: (address, written) => checkConnectionAddress(address, written, egress),
    })
    const { name } = connection
    const schema = connection.schema ?? (destination.address.startsWith('duckdb:') ? 'main' : undefined)
    const id = idOf(name, destination.address, schema)
    const to = wholeAddress(destination.address)
    return { id, connector, connection: name, schema: schema ?? name, to, destination, isEmbedded: false }
  }

  async function connectionsOf(connector: string): Promise<Connection[]> {
    const all = await listConnections(home)
    return all.flatMap((one) =>
      'connection' in one && connectorInHome(one.connection, home) === connector ? [one.connection] : [],
    )
  }

  const of: RunDestinations['of'] = async (connector) => {
    const destinations: RunDestination[] = [embedded(connector), embedded(connector, 'main')]
    const lost: LostDestination[] = []
    const attempt = async (to: string, open: () => Promise<RunDestination>) => {
      try {
        const target = await open()
        // A connection of the connector's name may write where the page does.
        if (!destinations.some(({ id }) => id === target.id)) destinations.push(target)
      } catch (error) {
        if (!(error instanceof ConnectorError)) throw error
        lost.push({ to, error })
      }
    }
    for (const to of chosen.of(storedAs(connector))) await attempt(shownTo(to), () => chosenTarget(connector, to))
    for (const one of await connectionsOf(connector)) {
      await attempt(`connection ${one.name}`, () => connectionPlace(connector, one))
    }
    return { destinations: destinations.slice(0, mostDestinations), lost }
  }

  return {
    embedded: (connector) => embedded(connector),
    of,
    connectionsOf,
    async choose(connector, to) {
      if (to === undefined || to === 'duckdb:turnleaf.duckdb') return embedded(connector)
      const { written, ...target } = await chosenTarget(connector, to)
      chosen.add(storedAs(connector), to, written)
      return target
    },
    async find(connector, id) {
      if (id === undefined) return embedded(connector)
      const found = (await of(connector)).destinations.find((one) => one.id === id)
      if (found !== undefined) return found
      throw new ConnectorError('server/not-found', `${connector} has no such destination.`)
    },
    async ofConnection(connection) {
      const connector = connectorInHome(connection, home)
      return connector === null ? null : connectionPlace(connector, connection)
    },
  }
}

/** The name of the connector in TURNLEAF_HOME; null where it is somewhere else. */
export function connectorInHome({ connector, folder }: Pick<Connection, 'connector' | 'folder'>, home: string) {
  if (!isPath(connector)) return connector
  const root = resolve(home, 'connectors')
  const path = resolve(folder, connector)
  const [name, ...rest] = path.startsWith(`${root}/`) ? path.slice(root.length + 1).split('/') : []
  return name === undefined || rest.length > 1 ? null : name
}

/** The same for the same runs, however the address is written. */
function idOf(connection: string, address: string, schema = ''): string {
  return createHash('sha256')
    .update(JSON.stringify([connection, wholeAddress(address), schema]))
    .digest('hex')
    .slice(0, 16)
}

/** One spelling for one destination: a file or a folder by its whole path. */
function wholeAddress(address: string): string {
  return withPath(address, (path) => resolve(path))
}

/** What was typed may hold a password. */
function shownTo(to: string): string {
  return to.startsWith('postgres') ? 'postgres://…' : to
}
