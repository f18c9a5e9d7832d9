/** Import of descriptions: OpenAPI, Postman, HAR. */
import { descriptionFrom } from '../../import/read-description.ts'
import { type Route, route } from '../route.ts'
import type { Services } from '../services.ts'
import type { Workspace } from '../workspace.ts'
import { importRequest, importResult } from '../wire/import.ts'

export function importRoutes(
  { egress }: Services,
  { limit, importDescription }: Pick<Workspace, 'limit' | 'importDescription'>,
): readonly Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/imports',
      id: 'importDescription',
      tag: 'building',
      summary: 'List the streams that a description of an API has, or make a manifest of some',
      description: 'A URL is fetched by the server, under the same rules as the requests of a read. Nothing is saved.',
      takes: { body: importRequest },
      responses: {
        200: { description: 'The streams, and the manifest of those that were chosen.', body: importResult },
      },
      problems: [422, 429],
      async handle({ body: { source, only = null }, signal }) {
        using _slot = limit.take()
        const { text, url } = await descriptionFrom(source, signal, { egress })
        const result = await importDescription({ kind: 'import', text, url, only }, signal)
        return new Response(result ?? '', {
          headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
        })
      },
    }),
  ]
}
