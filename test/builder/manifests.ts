/** Small connectors for stories, put on disk as a person or git would. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export function manifestPath(home: string, name: string): string {
  return join(home, 'connectors', name, 'manifest.yaml')
}

export function writeConnector(home: string, name: string, text: string): void {
  mkdirSync(join(home, 'connectors', name), { recursive: true })
  writeFileSync(manifestPath(home, name), text)
}

export function readConnector(home: string, name: string): string {
  return readFileSync(manifestPath(home, name), 'utf8')
}

/** Each stream at a path of its name. */
export function smallManifest(baseUrl: string, streams: readonly string[]): string {
  return `# written by hand
version: 6.0.0
type: DeclarativeSource
check:
  type: CheckStream
  stream_names: [${streams[0] ?? ''}]
definitions:
  requester:
    type: HttpRequester
    url_base: ${baseUrl}
streams:${streams.length === 0 ? ' []' : streams.map((name) => `\n${streamText(name)}`).join('')}
spec:
  type: Spec
  connection_specification:
    type: object
    properties: {}
`
}

function streamText(name: string): string {
  return `  - type: DeclarativeStream
    name: ${name}
    retriever:
      type: SimpleRetriever
      requester:
        $ref: "#/definitions/requester"
        path: /${name}
      record_selector:
        type: RecordSelector
        extractor: { type: DpathExtractor, field_path: [data] }
    schema_loader:
      type: InlineSchemaLoader
      schema: { type: object, properties: {} }`
}
