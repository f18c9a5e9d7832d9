/** The manifests the benchmarks read. */

type OffsetOptions = { readonly path?: string; readonly delayMs?: number; readonly pageSize?: number }

export function offsetManifest(url: string, total: number, options: OffsetOptions = {}): object {
  const { path = '/items', delayMs = 0, pageSize = 100 } = options
  return {
    version: '6.0.0',
    type: 'DeclarativeSource',
    check: { type: 'CheckStream', stream_names: ['items'] },
    streams: [
      {
        type: 'DeclarativeStream',
        name: 'items',
        primary_key: ['id'],
        retriever: {
          type: 'SimpleRetriever',
          requester: {
            type: 'HttpRequester',
            url_base: url,
            path,
            request_parameters: { total: String(total), ...(delayMs > 0 && { delay: String(delayMs) }) },
          },
          record_selector: { type: 'RecordSelector', extractor: { type: 'DpathExtractor', field_path: ['data'] } },
          paginator: {
            type: 'DefaultPaginator',
            pagination_strategy: { type: 'OffsetIncrement', page_size: pageSize },
            page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'offset' },
            page_size_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'limit' },
          },
        },
      },
    ],
  }
}

const decoders: Record<string, object> = {
  jsonl: { type: 'JsonlDecoder' },
  csv: { type: 'CsvDecoder' },
  items: { type: 'JsonItemsDecoder', items_path: 'data' },
}

/** One body of that many megabytes, as benchmarks/download-server.ts serves it. */
export function downloadManifest(url: string, packing: string, format: string, megabytes: number): object {
  const decoder = decoders[format]
  return {
    version: '6.0.0',
    type: 'DeclarativeSource',
    check: { type: 'CheckStream', stream_names: ['items'] },
    streams: [
      {
        type: 'DeclarativeStream',
        name: 'items',
        retriever: {
          type: 'SimpleRetriever',
          requester: { type: 'HttpRequester', url_base: url, path: `/${packing}/${format}/${megabytes}` },
          decoder: packing === 'gzip' ? { type: 'GzipDecoder', decoder } : decoder,
          record_selector: { type: 'RecordSelector', extractor: { type: 'DpathExtractor', field_path: [] } },
        },
      },
    ],
  }
}

type Stream = {
  readonly name: string
  readonly path: string
  readonly more: object
  readonly cursor?: object
  readonly transformations?: readonly object[]
}

function sourceOf(url: string, streams: readonly Stream[]): object {
  return {
    version: '6.0.0',
    type: 'DeclarativeSource',
    check: { type: 'CheckStream', stream_names: streams.slice(0, 1).map(({ name }) => name) },
    streams: streams.map((stream) => streamOf(url, stream)),
  }
}

function streamOf(url: string, { name, path, more, cursor, transformations }: Stream): object {
  return {
    type: 'DeclarativeStream',
    name,
    primary_key: ['id'],
    ...(cursor !== undefined && { incremental_sync: cursor }),
    ...(transformations !== undefined && { transformations }),
    retriever: {
      type: 'SimpleRetriever',
      requester: { type: 'HttpRequester', url_base: url, path },
      record_selector: { type: 'RecordSelector', extractor: { type: 'DpathExtractor', field_path: ['data'] } },
      ...more,
    },
  }
}

function partitionsOf(count: number): object {
  const values = Array.from({ length: count }, (_, index) => `p${index}`)
  return { type: 'ListPartitionRouter', values, cursor_field: 'part' }
}

/** Records that are filtered, cast or transformed. */
export function selectingManifest(selector: object, transformations: readonly object[]): object {
  const extractor = { type: 'DpathExtractor', field_path: ['data'] }
  const more = { record_selector: { type: 'RecordSelector', extractor, ...selector } }
  return sourceOf('https://api.example.com', [{ name: 'items', path: '/items', more, transformations }])
}

/** A stream without pages. */
export function onePageManifest(url: string, path: string, parameters: Record<string, string>): object {
  const requester = { type: 'HttpRequester', url_base: url, path, request_parameters: parameters }
  return sourceOf(url, [{ name: 'items', path, more: { requester } }])
}

/** Streams with schemas of forty fields, until their JSON has so many characters; YAML has somewhat more. */
export function manyStreamsManifest(characters: number): object {
  const fields = Array.from({ length: 40 }, (_, index) => [
    `field_${index}`,
    { type: ['null', 'string'], description: 'A field of the record, described in a few words.' },
  ])
  const schema = { type: 'object', properties: Object.fromEntries(fields) as object }
  const streamNamed = (name: string) => ({
    ...streamOf('https://api.example.com', { name, path: `/${name}`, more: {} }),
    schema_loader: { type: 'InlineSchemaLoader', schema },
  })
  const count = Math.round(characters / JSON.stringify(streamNamed('items')).length)
  const streams = Array.from({ length: count }, (_, index) => structuredClone(streamNamed(`items_${index}`)))
  const check = { type: 'CheckStream', stream_names: ['items_0'] }
  return { version: '6.0.0', type: 'DeclarativeSource', check, streams }
}

/** Streams as people write them: what they share is referred to, each has a schema of its own. 500 are 1.25 MB of YAML. */
export function referringManifest(count: number, url = 'https://api.example.com'): object {
  const properties = Object.fromEntries(
    Array.from({ length: 15 }, (_, index) => [
      `field_${index}`,
      { type: ['null', 'string'], description: 'A field, in a few words.' },
    ]),
  ) as object
  const streams = Array.from({ length: count }, (_, index) => ({
    type: 'DeclarativeStream',
    name: `items_${index}`,
    primary_key: ['id'],
    retriever: {
      type: 'SimpleRetriever',
      requester: { $ref: '#/definitions/requester', path: `/items_${index}` },
      record_selector: { $ref: '#/definitions/selector' },
      paginator: { $ref: '#/definitions/paginator' },
    },
    schema_loader: {
      type: 'InlineSchemaLoader',
      schema: { type: 'object', properties: structuredClone(properties) },
    },
  }))
  return {
    version: '6.0.0',
    type: 'DeclarativeSource',
    check: { type: 'CheckStream', stream_names: ['items_0'] },
    definitions: {
      requester: { type: 'HttpRequester', url_base: url, http_method: 'GET' },
      selector: { type: 'RecordSelector', extractor: { type: 'DpathExtractor', field_path: ['data'] } },
      paginator: {
        type: 'DefaultPaginator',
        pagination_strategy: { type: 'OffsetIncrement', page_size: 100 },
        page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'offset' },
      },
    },
    streams,
  }
}

/** So many slices of one page. */
export function slicesManifest(url: string, count: number): object {
  const path = '/parts/{{ stream_partition.part }}'
  return sourceOf(url, [{ name: 'parts', path, more: { partition_router: partitionsOf(count) } }])
}

/** The same, each with a cursor of its own. */
export function cursorsManifest(url: string, count: number): object {
  const path = '/parts/{{ stream_partition.part }}'
  const cursor = {
    type: 'DatetimeBasedCursor',
    cursor_field: 'updated',
    datetime_format: '%Y-%m-%d',
    start_datetime: '2026-01-01',
    end_datetime: '2026-02-01',
  }
  return sourceOf(url, [{ name: 'parts', path, more: { partition_router: partitionsOf(count) }, cursor }])
}

/** Streams that each need the same pages of one parent. */
export function childrenManifest(url: string, children: number): object {
  const parent = {
    name: 'parents',
    path: '/parents',
    more: {
      paginator: {
        type: 'DefaultPaginator',
        pagination_strategy: { type: 'PageIncrement', page_size: 10, start_from_page: 1 },
        page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'page' },
      },
    },
  }
  const router = {
    type: 'SubstreamPartitionRouter',
    parent_stream_configs: [
      { type: 'ParentStreamConfig', stream: streamOf(url, parent), parent_key: 'id', partition_field: 'parent' },
    ],
  }
  const childOf = (index: number) => ({
    name: `child${index}`,
    path: `/child${index}/{{ stream_partition.parent }}`,
    more: { partition_router: router },
  })
  return sourceOf(url, [parent, ...Array.from({ length: children }, (_, index) => childOf(index))])
}
