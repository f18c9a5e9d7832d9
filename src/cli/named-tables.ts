/** `--to`, or the connection that `--connection` names → the destination whose tables a command shows. */
import { connectionFile, connectionNames, findConnection, homeFolder, isPath } from '../connections/find-connection.ts'
import type { Destination } from '../destinations/destination.ts'
import { ConnectorError } from '../std/errors.ts'
import { nearMiss } from '../std/text/near-miss.ts'
import { checkpointKeys } from '../sync/checkpoints.ts'
import { addressFrom, type DestinationChoice, destinationFrom } from './destination-address.ts'

export type TablesChoice = DestinationChoice & { readonly connection?: string }

export type NamedTables = {
  readonly destination: Destination
  /** The name under which states and runs are stored there. */
  readonly connection: string | undefined
  /** True where a file says what the connection is. */
  readonly hasFile: boolean
}

/** A name without a file may be that of `sync --manifest-path … --connection NAME`. */
export async function namedTables(given: TablesChoice): Promise<NamedTables> {
  const { to, connection } = given
  const isKnown =
    to === undefined &&
    connection !== undefined &&
    (isPath(connection) || (await connectionFile(connection, homeFolder())) !== null)
  if (isKnown) return tablesOfConnection(connection, given)
  const destination = destinationFrom(given)
  if (connection !== undefined) {
    await refuseMisspelt(connection, destination, to === undefined ? await connectionNames(homeFolder()) : [])
  }
  return { destination, connection, hasFile: false }
}

/** Throws for a name without runs in the destination, where another one is spelled almost the same. */
async function refuseMisspelt(name: string, destination: Destination, others: readonly string[]): Promise<void> {
  const runs = (await destination.inspect?.(checkpointKeys.run(''))) ?? []
  const synced = runs.map(({ connection }) => connection)
  const near = synced.includes(name) ? undefined : nearMiss(name, [...synced, ...others])
  if (near === undefined) return
  throw new ConnectorError('connections/not-found', `There are no syncs of "${name}" in ${destination.address}.`, {
    hint: `Did you mean ${near}?`,
  })
}

/** @param name as for `turnleaf sync`. */
export async function tablesOfConnection(name: string, { schema }: DestinationChoice): Promise<NamedTables> {
  const found = await findConnection(name, homeFolder())
  // Loaded here: most calls name a destination.
  const { connectionDestination } = await import('../connections/open-connection.ts')
  const destination = await connectionDestination(
    { ...found, schema: schema ?? found.schema },
    { defaultDestination: () => addressFrom(undefined) },
  )
  return { destination, connection: found.name, hasFile: true }
}
