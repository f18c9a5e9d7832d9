/** A stream that does not exist yet, as small as one can be; it asks where the others ask. */
import { anyFieldSchema } from '../../document/stream-paths.ts'
import { isObject, type TreeObject } from '../../engine/manifest/tree.ts'
import { follow } from '../../document/follow.ts'

export function newStream(root: unknown, name: string, path: string): TreeObject & { readonly name: string } {
  return {
    type: 'DeclarativeStream',
    name,
    retriever: {
      type: 'SimpleRetriever',
      requester: { ...sharedRequester(root), path },
      record_selector: { type: 'RecordSelector', extractor: { type: 'DpathExtractor', field_path: [] } },
    },
    schema_loader: anyFieldSchema,
  }
}

/** The definition that is there for it, or else what the first stream has. */
function sharedRequester(root: unknown): TreeObject {
  const definitions = follow(root, ['definitions']).value
  const isShared = (value: unknown) => isObject(value) && value.type === 'HttpRequester' && 'url_base' in value
  const key = isObject(definitions) ? Object.keys(definitions).find((one) => isShared(definitions[one])) : undefined
  if (key !== undefined) return { $ref: `#/definitions/${key}` }
  const first = ['streams', 0, 'retriever', 'requester']
  const members = ['url_base', 'authenticator'].map(
    (member) => [member, follow(root, [...first, member]).value] as const,
  )
  return { type: 'HttpRequester', ...Object.fromEntries(members.filter(([, value]) => value !== undefined)) }
}
