/** The manifests the benchmarks read. */

export function offsetManifest(url: string, total: number): object {
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
            path: '/items',
            request_parameters: { total: String(total) },
          },
          record_selector: { type: 'RecordSelector', extractor: { type: 'DpathExtractor', field_path: ['data'] } },
          paginator: {
            type: 'DefaultPaginator',
            pagination_strategy: { type: 'OffsetIncrement', page_size: 100 },
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
