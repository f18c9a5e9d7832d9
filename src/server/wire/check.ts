/** A check of a config: whether the API accepts it. */
import { z } from 'zod'
import { connectorName } from './connector.ts'
import { config } from './inspection.ts'

export const connectionCheckRequest = z
  .object({
    text: z.string().describe('The manifest, YAML or JSON, saved or not.'),
    connector: connectorName.optional().describe('The connector with the custom classes; without it none are loaded.'),
    config: config.default({}),
  })
  .meta({ id: 'ConnectionCheckRequest' })

export const connectionCheck = z
  .object({ success: z.boolean(), message: z.string().nullable().describe('Why it failed; null where it did not.') })
  .meta({ id: 'ConnectionCheck' })

export type ConnectionCheck = z.output<typeof connectionCheck>
