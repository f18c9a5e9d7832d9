/** Another name for a connector: its folder, and what refers to it by name. Refused while something reads it. */
import { connectorUsers, renameConnectorIn } from '../../connections/connector-users.ts'
import { isPath } from '../../connections/find-connection.ts'
import { ConnectorError } from '../../std/errors.ts'
import type { Services } from '../services.ts'
import type { SavedConnector } from '../wire/connector.ts'
import type { Connectors } from './connectors.ts'

type RenameTools = Pick<Services, 'home' | 'syncs' | 'schedules'> & { readonly connectors: Connectors }

export async function renameConnector(
  { home, syncs, schedules, connectors }: RenameTools,
  name: string,
  to: string,
): Promise<SavedConnector> {
  if (syncs.list().some((run) => run.connector === name && run.status === 'running')) {
    throw busy(`A sync of ${name} is running.`)
  }
  const users = await connectorUsers(home, name)
  const byPath = users.find(({ connector }) => isPath(connector))
  if (byPath !== undefined) {
    const message = `The connection "${byPath.name}" uses the folder of "${name}" by its path.`
    throw new ConnectorError('server/in-use', message)
  }
  const running = users.find((user) => schedules.running().includes(user.name))
  if (running !== undefined) throw busy(`A sync of the connection "${running.name}" is running.`)
  const saved = await connectors.rename(name, to)
  for (const user of users) await renameConnectorIn(user, to)
  syncs.rename(name, to)
  return saved
}

function busy(message: string): ConnectorError {
  return new ConnectorError('server/busy', message, { hint: 'Wait until it has ended, or cancel it.' })
}
