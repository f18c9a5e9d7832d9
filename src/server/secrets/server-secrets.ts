/** What test configs may use on this server: the store, and environment variables. */
import type { Config } from '../../engine/plan/plan.ts'
import type { Services } from '../services.ts'
import { type EnvironmentNames, isSharedServer, openEnvironmentNames } from './environment-names.ts'
import {
  type FilledConfig,
  fillTestConfig,
  type FoundVariable,
  referredVariables,
  withStoredValues,
} from './fill-test-config.ts'
import { findKeychain } from './keychain.ts'
import { openSecretStore, type SecretStore } from './secret-store.ts'
import { openTestConfigs, type StoreContent, type TestConfigs } from './test-configs.ts'

export type ServerSecrets = {
  readonly store: SecretStore<StoreContent>
  readonly testConfigs: TestConfigs
  readonly environment: EnvironmentNames
  readonly fill: (config: Config) => Promise<FilledConfig>
  /** For a connection that this user keeps on this machine; null on a server that others reach. Variables stay references. */
  readonly withStoredValues: ((config: Config) => Promise<Config>) | null
  readonly referredVariables: (config: Config) => FoundVariable[]
}

export function openServerSecrets({
  home,
  token,
  egress,
  environment: named = [],
}: Pick<Services, 'home' | 'token' | 'egress' | 'environment'>): ServerSecrets {
  const isShared = isSharedServer({ token, egress })
  const keychain = isShared ? null : findKeychain()
  const store = openSecretStore<StoreContent>({ home, keychain, empty: {} })
  const testConfigs = openTestConfigs(store, isShared)
  const environment = openEnvironmentNames({ isShared, named })
  const tools = { testConfigs, environment, isShared }
  return {
    store,
    testConfigs,
    environment,
    fill: (config) => fillTestConfig(config, tools),
    withStoredValues: isShared ? null : (config) => withStoredValues(config, testConfigs),
    referredVariables: (config) => referredVariables(config, tools),
  }
}
