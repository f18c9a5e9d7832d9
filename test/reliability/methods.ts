/** The ways of paging that are tried with every fault: streams of the lab's own connector, led to a fault. */
import { readFileSync } from 'node:fs'
import { dump, load } from 'js-yaml'
import { type Dialect, dialects } from '../../src/lab/dialects.ts'

export type Method = {
  /** As the table calls it. */
  readonly name: string
  /** In connectors/lab. */
  readonly stream: string
  readonly dialect: Dialect
}

type Requester = { path: string } & Record<string, unknown>
type Source = { streams: { name: string; retriever: { requester: Requester } }[] }

const text = readFileSync('connectors/lab/manifest.yaml', 'utf8')

export const methods: readonly Method[] = [
  method('offset', 'offset'),
  method('page from 1', 'page'),
  method('page from 0', 'page0'),
  method('cursor in the body', 'cursor'),
  method('cursor in a header', 'cursor_header'),
  method('Link header', 'link'),
  method('next URL', 'next_url'),
  method('relative next', 'next_path'),
  method('start-after', 'after'),
  method('GraphQL', 'graphql'),
  method('OData', 'odata'),
  method('JSON:API', 'jsonapi'),
  method('POST (JSON)', 'search'),
  method('POST (form)', 'form'),
]

/** The manifest with one stream, whose requests go through a fault; without one, to the API itself. */
export function manifestFor({ stream }: Method, door = '', more: Record<string, unknown> = {}): string {
  const source = load(text) as Source
  const [found] = source.streams.filter(({ name }) => name === stream)
  if (found === undefined) throw new Error(`connectors/lab has no stream ${stream}`)
  const { requester } = found.retriever
  const asked = { ...requester, path: door + requester.path, ...more }
  const changed = { ...found, retriever: { ...found.retriever, requester: asked } }
  return dump(
    { ...source, check: { type: 'CheckStream', stream_names: [stream] }, streams: [changed] },
    { noRefs: true },
  )
}

function method(name: string, stream: string): Method {
  const path = `/${stream.replaceAll('_', '-')}`
  const dialect = dialects.find((one) => one.path === path)
  if (dialect === undefined) throw new Error(`the lab has no dialect ${path}`)
  return { name, stream, dialect }
}
