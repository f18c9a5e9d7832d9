/** Import of a description of an API. */
import { z } from 'zod'
import { descriptionFrom } from '../../import/read-description.ts'
import { ConnectorError } from '../../std/errors.ts'
import { parseJson } from '../../std/json.ts'
import { count } from '../../std/text/format-count.ts'
import type { ImportResult } from '../../server/wire/import.ts'
import { tool } from '../tool.ts'
import { fromApi, fromApiRule } from './source.ts'

export const importDescriptionTool = tool({
  name: 'import_description',
  title: 'Import a description of an API',
  description: `Reads an OpenAPI document, a Postman collection or a HAR file and lists the lists of records in it. With \`only\` it also returns a manifest of those streams, to be saved with create_connector; their pagination is a proposal that detect_api or test_read confirms. ${fromApiRule}`,
  isReadOnly: true,
  isOpenWorld: true,
  input: z.object({
    source: z.string().min(1).describe('The text of the description, or the URL of an OpenAPI document.'),
    only: z.array(z.string()).min(1).max(200).optional().describe('Names of the streams to write.'),
    filter: z.string().optional().describe('Lists only streams whose name or path has this text.'),
    from: z.number().int().min(0).default(0),
    count: z.number().int().min(1).max(100).default(50),
  }),
  output: z.object({
    kind: z.string(),
    total: z.number().int().describe('How many streams match.'),
    fromApi: fromApi({
      title: z.string(),
      baseUrl: z.string(),
      authentication: z.string(),
      streams: z.array(
        z.object({ name: z.string(), request: z.string(), parent: z.string().nullable(), pagination: z.string() }),
      ),
      notes: z.array(z.string()).describe('The first 20.'),
      manifest: z.string().nullable(),
    }),
  }),
  async run({ source, only = null, filter = '', from, count: most }, { services, workspace }, { signal }) {
    using _slot = workspace.limit.take()
    const { text, url } = await descriptionFrom(source, signal, { egress: services.egress })
    const found = await workspace.importDescription({ kind: 'import', text, url, only }, signal)
    if (found === null) throw new ConnectorError('response/aborted', 'The call was cancelled.')
    const { kind, title, baseUrl, authentication, streams, notes, manifest } = parseJson(found).value as ImportResult
    const wanted = filter.toLowerCase()
    const matching = streams.filter(({ name, path }) => `${name} ${path}`.toLowerCase().includes(wanted))
    return {
      says: `${count(matching.length, 'stream')} of ${streams.length}${manifest === null ? '' : '; the manifest is in `fromApi.manifest`'}.`,
      value: {
        kind,
        total: matching.length,
        fromApi: {
          title,
          baseUrl,
          authentication,
          streams: matching.slice(from, from + most).map(({ name, method, path, parent, pagination }) => ({
            name,
            request: `${method} ${path}`,
            parent,
            pagination,
          })),
          notes: notes.slice(0, 20),
          manifest,
        },
      },
    }
  },
})
