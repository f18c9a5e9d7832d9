/** Public connectors: a search over the collection that the server was started with, and a copy of one. */
import { z } from 'zod'
import { connectorName } from './connector.ts'

const publicConnector = z
  .object({
    name: z.string(),
    title: z.string(),
    licence: z.string().nullable().describe('As its description or the collection names it.'),
    documentation: z.string().nullable(),
  })
  .meta({ id: 'PublicConnector' })

export const collectionSearch = z.object({
  search: z.string().max(200).default('').describe('Words to look for; all without any.'),
})

export const foundConnectors = z
  .object({
    from: z.string().nullable().describe('The folder or repository; null where the server was started without one.'),
    total: z.number().int().describe('How many connectors the collection has.'),
    matching: z.number().int(),
    connectors: z.array(publicConnector).describe('By name; the first fifty that match.'),
  })
  .meta({ id: 'FoundConnectors' })

export const publicCopy = z
  .object({ of: z.string().describe('Its name in the collection.'), name: connectorName })
  .meta({ id: 'PublicCopy' })

export type FoundConnectors = z.infer<typeof foundConnectors>
export type PublicCopy = z.infer<typeof publicCopy>
