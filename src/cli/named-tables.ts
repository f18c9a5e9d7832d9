/** `--to`, or the connection that `--connection` names → the destination whose tables a command shows. */
import { connectionFile, findConnection, homeFolder, isPath } from '../connections/find-connection.ts'
import type { Destination } from '../destinations/destination.ts'
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
  return { destination: destinationFrom(given), connection, hasFile: false }
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
