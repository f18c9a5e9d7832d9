/** What `discover` says of a stream's schema, for tests of schemas. */
import { type JsonSchema, loadManifest } from '../../../src/index.ts'
import { discoverMessages } from '../../../src/protocol/discover.ts'
import { manifestOf, type StreamParts } from '../../helpers/manifests.ts'

type Options = { url?: string; folder?: string; config?: Record<string, unknown> }

/** The schema that `discover` gives, and the warnings before it. */
export async function discover(stream: Record<string, unknown>, { url, folder, config = {} }: Options = {}) {
  const parts: StreamParts = { stream, ...(url !== undefined && { url }) }
  const manifest = loadManifest(manifestOf(parts), folder === undefined ? {} : { folder })
  const messages = await discoverMessages(manifest, config, { sleep: async () => {} })
  const warnings = messages.flatMap((message) => (message.type === 'LOG' ? [message.log.message] : []))
  const schema = messages.flatMap((message) => (message.type === 'CATALOG' ? message.catalog.streams : []))[0]
    ?.json_schema
  return { schema, warnings }
}

export const anyRecord = { type: 'object', additionalProperties: true, properties: {} }
export const object = (properties: object): JsonSchema => ({ type: 'object', properties: properties })
