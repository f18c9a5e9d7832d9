/** Inspection of a manifest while it is being written. */
import { setImmediate } from 'node:timers/promises'
import { empty, writtenJson } from '../responses.ts'
import { type Route, route } from '../route.ts'
import { inspection, inspectionRequest } from '../wire/inspection.ts'
import type { Workspace } from '../workspace.ts'

export function inspectionRoutes({ connectors, inspect }: Pick<Workspace, 'connectors' | 'inspect'>): Route[] {
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
        const result = await inspect(body, folder, signal)
        return result === null ? empty() : writtenJson(result)
      },
    }),
  ]
}
