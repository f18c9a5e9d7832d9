/** The store of test configs, the configs in it, and the environment variables they may refer to. */
import { z } from 'zod'
import { empty, json } from '../responses.ts'
import { type Route, route } from '../route.ts'
import { connectorName } from '../wire/connector.ts'
import { config } from '../wire/inspection.ts'
import {
  foundVariables,
  origin,
  storeStatus,
  storeToCreate,
  storeToUnlock,
  testConfig,
  testConfigName,
  testConfigToKeep,
  variableName,
} from '../wire/test-config.ts'
import type { ServerSecrets } from './server-secrets.ts'

export function secretRoutes(secrets: ServerSecrets): readonly Route[] {
  return [...storeRoutes(secrets), ...configRoutes(secrets), ...variableRoutes(secrets)]
}

function storeRoutes({ store, environment: { mayAllow } }: ServerSecrets): readonly Route[] {
  const status = async () => json({ ...(await store.status()), mayAllow })
  return [
    route({
      method: 'get',
      path: '/v1/secret-store',
      id: 'getSecretStore',
      tag: 'secrets',
      summary: 'Whether there is a store of test configs, and whether it is unlocked',
      description: 'An encrypted file in TURNLEAF_HOME. There is none until one is created.',
      responses: { 200: { description: 'Its state.', body: storeStatus } },
      handle: status,
    }),
    route({
      method: 'post',
      path: '/v1/secret-store',
      id: 'createSecretStore',
      tag: 'secrets',
      summary: 'Create the store',
      description:
        'Its key comes from a passphrase, which is not stored, or is kept in the keychain of the system where only this machine can reach the server. The store is unlocked until the server stops or it is locked.',
      takes: { body: storeToCreate },
      responses: { 201: { description: 'Created and unlocked.', body: storeStatus } },
      problems: [409, 422],
      async handle({ body }) {
        await store.create(body)
        return json({ ...(await store.status()), mayAllow }, 201)
      },
    }),
    route({
      method: 'post',
      path: '/v1/secret-store/unlock',
      id: 'unlockSecretStore',
      tag: 'secrets',
      summary: 'Unlock the store',
      description: 'For all clients of this server, until it stops or the store is locked.',
      takes: { body: storeToUnlock },
      responses: { 200: { description: 'Unlocked.', body: storeStatus } },
      problems: [403, 404, 422],
      async handle({ body }) {
        await store.unlock(body.passphrase)
        return status()
      },
    }),
    route({
      method: 'post',
      path: '/v1/secret-store/lock',
      id: 'lockSecretStore',
      tag: 'secrets',
      summary: 'Lock the store',
      description: 'The server forgets the key. Reads that run continue.',
      responses: { 200: { description: 'Locked.', body: storeStatus } },
      handle() {
        store.lock()
        return status()
      },
    }),
    route({
      method: 'delete',
      path: '/v1/secret-store',
      id: 'deleteSecretStore',
      tag: 'secrets',
      summary: 'Delete the store with everything in it',
      description: 'Also where it is locked or damaged. This cannot be undone.',
      responses: { 204: { description: 'Deleted.' } },
      problems: [404],
      async handle() {
        await store.remove()
        return empty()
      },
    }),
  ]
}

const one = z.object({ name: connectorName, config: testConfigName })

function configRoutes({ testConfigs }: ServerSecrets): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/connectors/{name}/test-configs',
      id: 'listTestConfigs',
      tag: 'secrets',
      summary: 'List the test configs of a connector that are kept',
      description: 'With their values, and references in place of secrets, which are never sent back.',
      takes: { path: z.object({ name: connectorName }) },
      responses: { 200: { description: 'Those in the store.', body: z.object({ configs: z.array(testConfig) }) } },
      problems: [404, 409, 422],
      handle: async ({ path }) => json({ configs: await testConfigs.list(path.name) }),
    }),
    route({
      method: 'put',
      path: '/v1/connectors/{name}/test-configs/{config}',
      id: 'keepTestConfig',
      tag: 'secrets',
      summary: 'Keep a test config in the store',
      description:
        'Values that the manifest declares as secrets, and those with the name of a credential, are replaced by references in every response. Operations that take a config accept these references.',
      takes: { path: one, body: testConfigToKeep },
      responses: { 200: { description: 'As it is kept.', body: testConfig } },
      problems: [404, 409, 422],
      handle: async ({ path: { name: connector, config: name }, body }) =>
        json(await testConfigs.keep({ connector, name, ...body })),
    }),
    route({
      method: 'delete',
      path: '/v1/connectors/{name}/test-configs/{config}',
      id: 'deleteTestConfig',
      tag: 'secrets',
      summary: 'Delete a test config from the store',
      description: 'Refused where it was changed since the version named.',
      takes: { path: one, query: z.object({ basedOn: z.string().describe('The version to delete.') }) },
      responses: { 204: { description: 'Deleted.' } },
      problems: [404, 409, 422],
      async handle({ path: { name: connector, config: name }, query }) {
        await testConfigs.remove(connector, name, query.basedOn)
        return empty()
      },
    }),
  ]
}

function variableRoutes(secrets: ServerSecrets): readonly Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/variables',
      id: 'findVariables',
      tag: 'secrets',
      summary: 'The environment variables that a test config refers to',
      description:
        'For each `${NAME}` in the config: where its value may be sent, or why it cannot be used. Never the value.',
      takes: { body: z.object({ config }) },
      responses: { 200: { description: 'In the order of the config.', body: foundVariables } },
      handle: ({ body }) => json({ variables: secrets.referredVariables(body.config) }),
    }),
    route({
      method: 'put',
      path: '/v1/variables/{variable}',
      id: 'allowVariable',
      tag: 'secrets',
      summary: 'Allow the value of an environment variable to be sent to an origin',
      description:
        'Until the server stops. Refused where others can reach the server: its operator names variables and origins in TURNLEAF_MCP_SECRETS.',
      takes: {
        path: z.object({ variable: variableName }),
        body: z.object({ origins: z.array(origin).min(1).max(20) }),
      },
      responses: { 204: { description: 'Allowed.' } },
      problems: [403],
      handle({ path: { variable }, body: { origins } }) {
        secrets.environment.allow(variable, origins)
        return empty()
      },
    }),
  ]
}
