/** A connector → a file to take away. */
import type { ExportFormat } from '../wire/export.ts'
import { typescriptOf } from './typescript.ts'

export const exportTypes = { yaml: 'application/yaml', typescript: 'text/plain' } as const

const endings = { yaml: 'yaml', typescript: 'ts' } as const

/**
 * @param name has no character that a header or a shell would mind.
 */
export function exported(name: string, text: string, format: ExportFormat): Response {
  const body = format === 'yaml' ? text : typescriptOf(name, text)
  return new Response(body, {
    headers: {
      'Content-Type': `${exportTypes[format]}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}.${endings[format]}"`,
      'Cache-Control': 'no-store',
    },
  })
}
