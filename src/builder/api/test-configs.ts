/** Test configs that are kept on the server, their store, and environment variables. */
import type { FoundVariables, SecretStoreStatus, TestConfig, TestConfigToKeep } from '../../server/wire/test-config.ts'
import { ask } from './ask.ts'

const storeAt = '/v1/secret-store'
const configsAt = (connector: string) => `/v1/connectors/${encodeURIComponent(connector)}/test-configs`
const configAt = (connector: string, name: string) => `${configsAt(connector)}/${encodeURIComponent(name)}`

export type KeyToCreate = { readonly kind: 'keychain' } | { readonly kind: 'passphrase'; readonly passphrase: string }

export const getStoreStatus = () => ask<SecretStoreStatus>('GET', storeAt)
export const createSecretStore = (body: KeyToCreate) => ask<SecretStoreStatus>('POST', storeAt, { body })
export const unlockSecretStore = (passphrase?: string) =>
  ask<SecretStoreStatus>('POST', `${storeAt}/unlock`, { body: passphrase === undefined ? {} : { passphrase } })
export const lockSecretStore = () => ask<SecretStoreStatus>('POST', `${storeAt}/lock`)
export const deleteSecretStore = () => ask<null>('DELETE', storeAt)

export const listKept = (connector: string) => ask<{ configs: TestConfig[] }>('GET', configsAt(connector))
export const keepConfig = (connector: string, name: string, body: TestConfigToKeep) =>
  ask<TestConfig>('PUT', configAt(connector, name), { body })
export const deleteKept = (connector: string, name: string, basedOn: string) =>
  ask<null>('DELETE', `${configAt(connector, name)}?basedOn=${encodeURIComponent(basedOn)}`)

export const findVariables = (config: object, signal: AbortSignal) =>
  ask<FoundVariables>('POST', '/v1/variables', { body: { config }, signal })
export const allowVariable = (name: string, origins: readonly string[]) =>
  ask<null>('PUT', `/v1/variables/${encodeURIComponent(name)}`, { body: { origins } })
