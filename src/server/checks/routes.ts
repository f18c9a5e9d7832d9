/** Checks the config of a connector, for the builder. */
import { loadManifest } from '../../connector/load-manifest.ts'
import { openNetwork } from '../../engine/response/send.ts'
import { checkLoaded } from '../manifest-server/operations.ts'
import { json } from '../responses.ts'
import { type Route, route } from '../route.ts'
import type { TestReadTools } from '../test-reads/routes.ts'
import { connectionCheck, connectionCheckRequest } from '../wire/check.ts'

export function checkRoutes({ egress, connectors, limit, secrets }: Omit<TestReadTools, 'captures'>): readonly Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/checks',
      id: 'checkConnector',
      tag: 'building',
      summary: 'Check a config',
      description: 'Connects as the `check` of the manifest says, and reports success or the reason it failed.',
      takes: { body: connectionCheckRequest },
      responses: { 200: { description: 'The result.', body: connectionCheck } },
      problems: [404, 409, 422, 429],
      async handle({ body, signal }) {
        const folder = await connectors.folderIfSaved(body.connector)
        const { config, wrapNetwork } = await secrets.fill(body.config)
        using _slot = limit.take()
        const manifest = loadManifest(body.text, folder === null ? {} : { folder })
        const network = wrapNetwork?.(openNetwork({ egress }))
        try {
          return json(
            await checkLoaded(manifest, config, { egress, signal, ...(network !== undefined && { network }) }),
          )
        } finally {
          await network?.close()
        }
      },
    }),
  ]
}
