/** Small manifests for the manifest server's operations. */

const selector = (field_path: string[] = []) => ({
  type: 'RecordSelector',
  extractor: { type: 'DpathExtractor', field_path },
})

export const requester = (url_base: string, path: string, more: object = {}) => ({
  type: 'HttpRequester',
  url_base,
  path,
  ...more,
})

type More = { field_path?: string[]; retriever?: object } & Record<string, unknown>

/** `more` are members of the stream; its record path and further members of its retriever are given separately. */
export function streamOf(name: string, request: object, { field_path = [], retriever = {}, ...more }: More = {}) {
  const record_selector = selector(field_path)
  return {
    type: 'DeclarativeStream',
    name,
    retriever: { type: 'SimpleRetriever', requester: request, record_selector, ...retriever },
    ...more,
  }
}

export function manifestOf(streams: object[], more: object = {}): Record<string, unknown> {
  const [first] = streams as { name: string }[]
  return {
    version: '6.0.0',
    type: 'DeclarativeSource',
    check: { type: 'CheckStream', stream_names: [first?.name] },
    spec: {
      type: 'Spec',
      connection_specification: {
        type: 'object',
        properties: { key: { type: 'string', airbyte_secret: true } },
      },
    },
    streams,
    ...more,
  }
}

const option = (field_name: string) => ({ type: 'RequestOption', inject_into: 'request_parameter', field_name })

export const byOffset = (page_size: number) => ({
  paginator: {
    type: 'DefaultPaginator',
    page_size_option: option('limit'),
    page_token_option: option('offset'),
    pagination_strategy: { type: 'OffsetIncrement', page_size },
  },
})

export const byParent = (stream: object) => ({
  partition_router: {
    type: 'SubstreamPartitionRouter',
    parent_stream_configs: [{ type: 'ParentStreamConfig', stream, parent_key: 'id', partition_field: 'shop' }],
  },
})

export const byDay = {
  type: 'DatetimeBasedCursor',
  cursor_field: 'day',
  datetime_format: '%Y-%m-%d',
  start_datetime: '2024-01-01',
  end_datetime: '2024-01-06',
  step: 'P2D',
  cursor_granularity: 'P1D',
  start_time_option: option('from'),
  end_time_option: option('to'),
}

export const oauth = (url: string) => ({
  type: 'OAuthAuthenticator',
  token_refresh_endpoint: `${url}/token`,
  client_id: 'me',
  client_secret: "{{ config['key'] }}",
  refresh_token: "{{ config['refresh'] }}",
})

/** A job that is ready at the second look, and two rows to download. */
export const jobStream = (url: string) => ({
  type: 'DeclarativeStream',
  name: 'report',
  retriever: {
    type: 'AsyncRetriever',
    record_selector: selector(),
    status_mapping: {
      type: 'AsyncJobStatusMap',
      running: ['pending'],
      completed: ['done'],
      failed: ['failed'],
      timeout: ['late'],
    },
    status_extractor: { type: 'DpathExtractor', field_path: ['status'] },
    download_target_extractor: { type: 'DpathExtractor', field_path: ['url'] },
    creation_requester: requester(url, '/jobs', { http_method: 'POST' }),
    polling_requester: requester(url, "/jobs/{{ creation_response['id'] }}"),
    download_requester: { type: 'HttpRequester', url_base: '{{ download_target }}', path: '' },
    delete_requester: requester(url, "/jobs/{{ creation_response['id'] }}/remove", { http_method: 'POST' }),
    download_decoder: { type: 'CsvDecoder' },
  },
})

/** One stream per shop that the API names. */
export const perShop = (url: string) => ({
  type: 'DynamicDeclarativeStream',
  name: 'per_shop',
  stream_template: streamOf('template', requester(url, '/shops/x')),
  components_resolver: {
    type: 'HttpComponentsResolver',
    retriever: streamOf('shops', requester(url, '/shops')).retriever,
    components_mapping: [
      {
        type: 'ComponentMappingDefinition',
        field_path: ['name'],
        value: "shop_{{ components_values['id'] }}",
      },
      {
        type: 'ComponentMappingDefinition',
        field_path: ['retriever', 'requester', 'path'],
        value: "/shops/{{ components_values['id'] }}",
      },
    ],
  },
})
