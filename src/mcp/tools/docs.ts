/** A search in the documentation of the package. */
import { z } from 'zod'
import { count } from '../../std/text/format-count.ts'
import { tool } from '../tool.ts'

export const searchDocsTool = tool({
  name: 'search_docs',
  title: 'Search the documentation',
  description:
    'Finds sections of the documentation: pagination methods, manifests, templates, error codes such as response/rejected, commands. Returns their text.',
  isReadOnly: true,
  input: z.object({ query: z.string().min(1).max(300), count: z.number().int().min(1).max(10).default(4) }),
  output: z.object({
    sections: z.array(
      z.object({ page: z.string(), heading: z.string(), text: z.string().describe('The first 2,500 characters.') }),
    ),
  }),
  async run({ query, count: most }, { docs }) {
    const sections = (await docs()).search(query, most).map(({ page, heading, text }) => ({
      page: `docs/${page}`,
      heading,
      text: text.slice(0, 2500),
    }))
    return { says: `${count(sections.length, 'section')}.`, value: { sections } }
  },
})
