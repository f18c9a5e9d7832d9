/** Connectors: list, open, save, versions. */
import type {
  Connector,
  ConnectorChange,
  ConnectorListing,
  CreatedClass,
  NewConnector,
  PastVersion,
  SavedConnector,
} from '../../server/wire/connector.ts'
import { ask } from './ask.ts'

const at = (name: string) => `/v1/connectors/${encodeURIComponent(name)}`

export const listConnectors = () => ask<ConnectorListing>('GET', '/v1/connectors')
export const openConnector = (name: string) => ask<Connector>('GET', at(name))
export const createConnector = (body: NewConnector) => ask<SavedConnector>('POST', '/v1/connectors', { body })
export const saveConnector = (name: string, body: ConnectorChange) => ask<SavedConnector>('PUT', at(name), { body })
export const renameSaved = (name: string, to: string) =>
  ask<SavedConnector>('POST', `${at(name)}/rename`, { body: { to } })
export const createClassFile = (name: string, body: { className: string; type: string }) =>
  ask<CreatedClass>('POST', `${at(name)}/classes`, { body })
export const deleteConnector = (name: string) => ask<null>('DELETE', at(name))
export const restoreConnector = (name: string) => ask<SavedConnector>('POST', `${at(name)}/restoration`)
export const listVersions = (name: string) => ask<{ versions: PastVersion[] }>('GET', `${at(name)}/versions`)
export const openVersion = (name: string, version: string) =>
  ask<{ text: string }>('GET', `${at(name)}/versions/${encodeURIComponent(version)}`)
export const nameVersion = (name: string, version: string, label: string) =>
  ask<null>('PUT', `${at(name)}/versions/${encodeURIComponent(version)}/label`, { body: { label } })
