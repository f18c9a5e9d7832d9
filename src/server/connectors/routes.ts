/** Connectors on disk: list, open, save, delete, and their past versions. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { ConnectorError } from '../../std/errors.ts'
import { empty, json, problemResponse } from '../responses.ts'
import type { Services } from '../services.ts'
import type { Connectors } from './connectors.ts'
import { createClass } from './create-class.ts'
import { renameConnector } from './rename-connector.ts'
import { type Route, route } from '../route.ts'
import type { TestConfigs } from '../secrets/test-configs.ts'
import {
  connector,
  connectorChange,
  connectorEvent,
  connectorListing,
  connectorName,
  connectorRename,
  createdClass,
  newClass,
  newConnector,
  pastText,
  pastVersions,
  savedConnector,
  version,
  versionLabel,
} from '../wire/connector.ts'
import { eventStream, eventsType } from '../event-stream.ts'

const named = z.object({ name: connectorName })

export function connectorRoutes(
  services: Services,
  connectors: Connectors,
  testConfigs: Pick<TestConfigs, 'rename'>,
): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/connectors',
      id: 'listConnectors',
      tag: 'connectors',
      summary: 'List connectors',
      description:
        'Those in `connectors/` of TURNLEAF_HOME, with their streams and number of errors. Folders that cannot be opened are listed with the reason.',
      responses: { 200: { description: 'By name.', body: connectorListing } },
      handle: async () => json({ home: resolve(services.home), ...(await connectors.list()) }),
    }),
    route({
      method: 'post',
      path: '/v1/connectors',
      id: 'createConnector',
      tag: 'connectors',
      summary: 'Create a connector from a manifest as text',
      description: 'Any text is accepted, also one that cannot run yet.',
      takes: { body: newConnector },
      responses: { 201: { description: 'Created.', body: savedConnector, headers: { Location: 'Its address.' } } },
      problems: [409],
      async handle({ body: { name, text } }) {
        const saved = await connectors.create(name, text)
        return json(saved, 201, { Location: `/v1/connectors/${name}` })
      },
    }),
    route({
      method: 'get',
      path: '/v1/connectors/{name}',
      id: 'openConnector',
      tag: 'connectors',
      summary: 'Open a connector',
      description: 'The manifest as it is on disk. `version` identifies this text: send it as `basedOn` when saving.',
      takes: { path: named },
      responses: { 200: { description: 'Its text and version.', body: connector } },
      problems: [404, 422],
      handle: async ({ path: { name } }) => json(await connectors.open(name)),
    }),
    route({
      method: 'put',
      path: '/v1/connectors/{name}',
      id: 'saveConnector',
      tag: 'connectors',
      summary: 'Save a connector',
      description:
        'Saved when `basedOn` is the version on disk. Otherwise nothing is written, and the problem has the current `version`.',
      takes: { path: named, body: connectorChange },
      responses: { 200: { description: 'Saved.', body: savedConnector } },
      problems: [404, 409, 422],
      async handle({ path: { name }, body: { text, basedOn } }) {
        const outcome = await connectors.save(name, text, basedOn)
        return outcome.kind === 'saved' ? json(outcome.saved) : changedMeanwhile(name, outcome.version)
      },
    }),
    route({
      method: 'post',
      path: '/v1/connectors/{name}/rename',
      id: 'renameConnector',
      tag: 'connectors',
      summary: 'Give a connector another name',
      description:
        'Renames its folder, with its versions, and the connector in connections that name it. Its tables and runs stay in the schema they are in. Refused while a sync of it runs.',
      takes: { path: named, body: connectorRename },
      responses: { 200: { description: 'Renamed.', body: savedConnector } },
      problems: [404, 409, 422, 429],
      async handle({ path: { name }, body: { to } }) {
        const renamed = await renameConnector({ ...services, connectors }, name, to)
        await testConfigs.rename(name, to)
        return json(renamed)
      },
    }),
    route({
      method: 'post',
      path: '/v1/connectors/{name}/classes',
      id: 'createClass',
      tag: 'connectors',
      summary: 'Create the file of a custom class',
      description:
        'With a class that works as it is. Nothing that is written already is replaced. Only where the server listens on this machine.',
      takes: { path: named, body: newClass },
      responses: { 201: { description: 'Created.', body: createdClass } },
      problems: [404, 409, 422],
      async handle({ path: { name }, body: { className, type } }) {
        if (services.egress === 'public-only') {
          throw new ConnectorError('server/custom-code', 'Other machines can reach this server: it writes no code.')
        }
        return json(await createClass(await connectors.folderOf(name), className, type), 201)
      },
    }),
    route({
      method: 'delete',
      path: '/v1/connectors/{name}',
      id: 'deleteConnector',
      tag: 'connectors',
      summary: 'Move a connector to the trash',
      description: 'Its folder goes to `connectors/.trash/` in TURNLEAF_HOME, with everything in it.',
      takes: { path: named },
      responses: { 204: { description: 'Moved.' } },
      problems: [404, 422],
      async handle({ path: { name } }) {
        await connectors.remove(name)
        return empty()
      },
    }),
    route({
      method: 'post',
      path: '/v1/connectors/{name}/restoration',
      id: 'restoreConnector',
      tag: 'connectors',
      summary: 'Restore a connector from the trash',
      description: 'The one of this name that was deleted last, with everything in its folder.',
      takes: { path: named },
      responses: { 200: { description: 'Restored.', body: savedConnector } },
      problems: [404, 409],
      handle: async ({ path: { name } }) => json(await connectors.restore(name)),
    }),
    route({
      method: 'get',
      path: '/v1/connectors/{name}/versions',
      id: 'listVersions',
      tag: 'connectors',
      summary: 'List past versions of a connector',
      description: 'The last hundred versions that were saved here or found on disk.',
      takes: { path: named },
      responses: { 200: { description: 'Newest first.', body: pastVersions } },
      problems: [404, 422],
      handle: async ({ path: { name } }) => json({ versions: await connectors.versions(name) }),
    }),
    route({
      method: 'get',
      path: '/v1/connectors/{name}/versions/{version}',
      id: 'openVersion',
      tag: 'connectors',
      summary: 'The text of a past version',
      description: 'To restore it, save this text as the new one.',
      takes: { path: named.extend({ version }) },
      responses: { 200: { description: 'As it was.', body: pastText } },
      problems: [404, 422],
      handle: async ({ path }) => json({ text: await connectors.textAt(path.name, path.version) }),
    }),
    route({
      method: 'put',
      path: '/v1/connectors/{name}/versions/{version}/label',
      id: 'labelVersion',
      tag: 'connectors',
      summary: 'Name a past version',
      description: 'A version with a label is kept, also when it is not among the last hundred any more.',
      takes: { path: named.extend({ version }), body: versionLabel },
      responses: { 204: { description: 'Named.' } },
      problems: [404, 422],
      async handle({ path, body }) {
        await connectors.label(path.name, path.version, body.label)
        return empty()
      },
    }),
    route({
      method: 'get',
      path: '/v1/changes',
      id: 'listenToChanges',
      tag: 'connectors',
      summary: 'Saves, deletions, renames and changes on disk, as they happen',
      description:
        'Server-sent events, one JSON value each, with a comment every ten seconds. Earlier changes are not sent: read the list after connecting.',
      responses: {
        200: { description: 'Open until either side disconnects.', body: connectorEvent, type: eventsType },
      },
      problems: [429],
      handle: ({ signal }) => eventStream((send) => connectors.listen(send), signal),
    }),
  ]
}

function changedMeanwhile(name: string, current: string): Response {
  const message = `"${name}" was changed since it was opened. Nothing was saved.`
  return problemResponse(new ConnectorError('server/changed-meanwhile', message), {}, { version: current })
}
