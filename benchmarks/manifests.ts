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
