/** What stories of the test panel share: a connector on disk, and the panel as a person finds it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

export type StreamFacts = { readonly path?: string; readonly pageSize?: number; readonly values?: readonly string[] }

/** Streams that page by offset, `data` being their records, with a secret key in a header. */
export function offsetManifest(url: string, streams: Readonly<Record<string, StreamFacts>>): string {
  const option = (name: string) => `{ type: RequestOption, inject_into: request_parameter, field_name: ${name} }`
  const stream = ([name, { path = `/${name}`, pageSize = 2, values }]: [string, StreamFacts]) => `
  - type: DeclarativeStream
    name: ${name}
    primary_key: id
    retriever:
      type: SimpleRetriever
      requester:
        type: HttpRequester
        url_base: ${url}
        path: ${path}
        authenticator:
          type: ApiKeyAuthenticator
          api_token: "{{ config['api_key'] }}"
          inject_into: { type: RequestOption, inject_into: header, field_name: X-Api-Key }
      record_selector:
        type: RecordSelector
        extractor: { type: DpathExtractor, field_path: [data] }
      paginator:
        type: DefaultPaginator
        pagination_strategy: { type: OffsetIncrement, page_size: ${pageSize} }
        page_size_option: ${option('limit')}
        page_token_option: ${option('offset')}${
          values === undefined
            ? ''
            : `
      partition_router:
        type: ListPartitionRouter
        values: [${values.join(', ')}]
        cursor_field: shop
        request_option: ${option('shop')}`
        }`
  return `version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [${Object.keys(streams)[0]}] }
streams:${Object.entries(streams).map(stream).join('')}
spec:
  type: Spec
  connection_specification:
    type: object
    required: [api_key]
    properties:
      api_key: { type: string, title: API key, airbyte_secret: true }
`
}

export function saveManifest(home: string, name: string, text: string): void {
  const folder = join(home, 'connectors', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'manifest.yaml'), text)
}

/** Next to the form or, where there is room for one of them only, what the page is about. */
export const panelOf = (page: Page) =>
  page.getByRole('complementary', { name: 'Test' }).or(page.getByRole('main', { name: 'Test' }))

/** Gives the key that the connector asks for, which also begins the first test. */
export async function giveKey(page: Page, key = 'a-key'): Promise<void> {
  const panel = panelOf(page)
  await panel.getByLabel('api_key is needed').fill(key)
  await panel.getByRole('button', { name: 'Use and test' }).click()
}

export const statusOf = (page: Page) => panelOf(page).locator('.read-status')
export const rowsOf = (page: Page) =>
  panelOf(page).getByRole('tree', { name: 'Slices and pages' }).getByRole('treeitem')
