/** Export of connectors as files. */
import { z } from 'zod'
import type { Connectors } from '../connectors/connectors.ts'
import { type ResponseShape, type Route, route } from '../route.ts'
import { connectorName } from '../wire/connector.ts'
import { exportFormat, type ExportFormat, exportRequest } from '../wire/export.ts'
import { typescriptOf } from './typescript.ts'

const exportTypes = { yaml: 'application/yaml', typescript: 'text/plain' } as const

const endings = { yaml: 'yaml', typescript: 'ts' } as const

const file: ResponseShape = {
  description: 'The file.',
  body: z.string(),
  type: Object.values(exportTypes),
  headers: { 'Content-Disposition': 'Its name.' },
}

export function exportRoutes(connectors: Connectors): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/connectors/{name}/export',
      id: 'exportConnector',
      tag: 'connectors',
      summary: 'Export a connector',
      description: 'A program requires a manifest that can run; otherwise the problem lists what is wrong.',
      takes: {
        path: z.object({ name: connectorName }),
        query: z.object({ format: exportFormat.default('yaml') }),
      },
      responses: { 200: file },
      problems: [404, 422],
      async handle({ path: { name }, query: { format } }) {
        const { text } = await connectors.open(name)
        return exported(name, text, format)
      },
    }),
    route({
      method: 'post',
      path: '/v1/exports',
      id: 'exportText',
      tag: 'building',
      summary: 'Export a manifest that is not saved',
      takes: { body: exportRequest },
      responses: { 200: file },
      problems: [422],
      handle: ({ body: { name, text, format } }) => exported(name, text, format),
    }),
  ]
}

/**
 * @param name is safe in a header and a shell.
 */
function exported(name: string, text: string, format: ExportFormat): Response {
  const body = format === 'yaml' ? text : typescriptOf(name, text)
  return new Response(body, {
    headers: {
      'Content-Type': `${exportTypes[format]}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}.${endings[format]}"`,
      'Cache-Control': 'no-store',
    },
  })
}
