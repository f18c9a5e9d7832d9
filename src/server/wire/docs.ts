/** Search over the documentation. */
import { z } from 'zod'

export const docsSearch = z.object({ search: z.string().max(200).describe('Words to look for.') })

export const foundDocs = z
  .object({
    results: z
      .array(
        z.object({
          url: z.string().describe('From the root of the server, which leads to the site: `/docs/pagination#cursor`.'),
          page: z.string(),
          heading: z.string(),
          start: z.string().describe('Its first words.'),
        }),
      )
      .describe('The best eight.'),
  })
  .meta({ id: 'FoundDocs' })

export type FoundDocs = z.infer<typeof foundDocs>
