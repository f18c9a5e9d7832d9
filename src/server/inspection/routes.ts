/** Inspection of a manifest while it is being written. */
import { setImmediate } from 'node:timers/promises'
import type { Connectors } from '../connectors/connectors.ts'
import type { LargeManifests } from '../large-manifests.ts'
import { empty, json, writtenJson } from '../responses.ts'
import { type Route, route } from '../route.ts'
import { inspection, inspectionRequest } from '../wire/inspection.ts'
import { openInspection } from './inspect.ts'

export function inspectionRoutes(connectors: Connectors, large: LargeManifests): Route[] {
  const inspect = openInspection()
  return [
    route({
      method: 'post',
      path: '/v1/inspections',
      id: 'inspectManifest',
      tag: 'building',
      summary: 'Problems of a manifest, its streams, and a preview of its first requests',
      description:
        'Sends no request. Every problem has its place in the text; the preview shows the first requests of a stream, with secrets hidden.',
      takes: { body: inspectionRequest },
      responses: { 200: { description: 'The result, however many problems there are.', body: inspection } },
      async handle({ body, signal }) {
        const folder = await connectors.folderIfSaved(body.connector)
        // Skip requests that newer input has already replaced.
        await setImmediate()
        if (signal.aborted) return empty()
        if (!large.isLarge(body.text)) return json(await inspect(body, folder))
        const result = await large.run({ kind: 'inspect', request: body, folder }, signal)
        return result === null ? empty() : writtenJson(result)
      },
    }),
  ]
}
