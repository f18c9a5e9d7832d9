/** Export of connectors as files. */
import { z } from 'zod'
import { ConnectorError } from '../../std/errors.ts'
import type { Connectors } from '../connectors/connectors.ts'
import { type ResponseShape, type Route, route } from '../route.ts'
import { connectorName } from '../wire/connector.ts'
import { exportFormat, type ExportFormat, exportRequest } from '../wire/export.ts'
import { typescriptOf } from './typescript.ts'

const exportTypes = { yaml: 'application/yaml', typescript: 'text/plain' } as const

const endings = { yaml: 'yaml', typescript: 'ts' } as const

const file: ResponseShape = {
  description: 'The file.',
  content: {
    // Readers of the description parse YAML before they compare it with a schema.
    [exportTypes.yaml]: z.unknown().describe('The manifest, or whatever its text is so far.'),
    [exportTypes.typescript]: z.string(),
  },
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
      description:
        'A program requires a manifest that can run; otherwise the problem lists what is wrong. YAML is the text as it is, unless it has a character that YAML does not allow.',
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
      description: 'As for a saved connector: the manifest itself, or a program that reads it.',
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
async function exported(name: string, text: string, format: ExportFormat): Promise<Response> {
  const body = format === 'yaml' ? yamlOf(text) : await typescriptOf(name, text)
  return new Response(body, {
    headers: {
      'Content-Type': `${exportTypes[format]}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}.${endings[format]}"`,
      'Cache-Control': 'no-store',
    },
  })
}

/** What YAML never allows, not even in quotes: control characters but tab and line breaks, halves of pairs, two code points. */
const unprintable = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

/** As it is, also when it cannot run yet. */
function yamlOf(text: string): string {
  const found = unprintable.exec(text)
  if (found === null) return text
  const before = text.slice(0, found.index).split('\n')
  const name = `U+${found[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
  throw new ConnectorError('manifest/syntax', `The character ${name} is not allowed in YAML.`, {
    at: { pointer: '', line: before.length, column: (before.at(-1) ?? '').length + 1 },
    hint: 'Delete it, or write it as an escape in double quotes.',
  })
}
