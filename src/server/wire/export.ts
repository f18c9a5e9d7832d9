/** Export of a connector as a file. */
import { z } from 'zod'
import { connectorName } from './connector.ts'

export const exportFormat = z
  .enum(['yaml', 'typescript'])
  .describe('The manifest itself, or a program that reads it with the library.')

export const exportRequest = z
  .object({ name: connectorName, text: z.string().describe('The manifest, saved or not.'), format: exportFormat })
  .meta({ id: 'ExportRequest' })

export type ExportFormat = z.infer<typeof exportFormat>
export type ExportRequest = z.infer<typeof exportRequest>
