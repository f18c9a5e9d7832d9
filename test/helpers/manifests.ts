/** Small manifests for tests: one stream, with the parts a test is about. */

export type StreamParts = {
  url?: string
  name?: string
  requester?: Record<string, unknown>
  paginator?: Record<string, unknown>
  fieldPath?: string[]
  selector?: Record<string, unknown>
  retriever?: Record<string, unknown>
  stream?: Record<string, unknown>
  spec?: Record<string, unknown>
}

export function manifestOf(parts: StreamParts = {}): Record<string, unknown> {
  return {
    ...sourceOf([streamOf(parts)]),
    ...(parts.spec && { spec: { type: 'Spec', connection_specification: parts.spec } }),
  }
}

export function sourceOf(streams: { name: string }[]): Record<string, unknown> {
  return {
    version: '6.0.0',
    type: 'DeclarativeSource',
    check: { type: 'CheckStream', stream_names: [streams[0]?.name] },
    streams,
  }
}

export function streamOf({
  url = 'https://api.test/v1',
  name = 'items',
  requester,
  paginator,
  fieldPath = ['data'],
  selector,
  retriever,
  stream,
}: StreamParts) {
  return {
    type: 'DeclarativeStream',
    name,
    retriever: {
      type: 'SimpleRetriever',
      requester: { type: 'HttpRequester', url_base: url, path: '/items', http_method: 'GET', ...requester },
      record_selector: {
        type: 'RecordSelector',
        extractor: { type: 'DpathExtractor', field_path: fieldPath },
        ...selector,
      },
      ...(paginator && { paginator: { type: 'DefaultPaginator', ...paginator } }),
      ...retriever,
    },
    ...stream,
  }
}

type Into = 'request_parameter' | 'header' | 'body_json' | 'body_data'

export function option(inject_into: Into, field: string | string[]): Record<string, unknown> {
  return {
    type: 'RequestOption',
    inject_into,
    ...(typeof field === 'string' ? { field_name: field } : { field_path: field }),
  }
}

export function offsetPaginator(
  strategy: Record<string, unknown> = { page_size: 3 },
  placed: Record<string, unknown> = {},
) {
  return {
    pagination_strategy: { type: 'OffsetIncrement', ...strategy },
    page_token_option: option('request_parameter', 'offset'),
    page_size_option: option('request_parameter', 'limit'),
    ...placed,
  }
}

export function cursorPaginator(cursor_value: string, stop_condition?: string, placed: Record<string, unknown> = {}) {
  return {
    pagination_strategy: { type: 'CursorPagination', cursor_value, ...(stop_condition && { stop_condition }) },
    page_token_option: option('request_parameter', 'cursor'),
    ...placed,
  }
}
