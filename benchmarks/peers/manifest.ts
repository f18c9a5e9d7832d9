/** A workload → the manifest that both Turnleaf and airbyte-cdk read. */
import { schemaOf } from './records.ts'
import { pageSize, sliceNames, streamNames, totalOf, type Workload } from './workloads.ts'

export function manifestOf(workload: Workload, url: string): object {
  const names = streamNames(workload)
  const areSideBySide = workload.slices !== null || workload.streams > 1
  return {
    version: '6.0.0',
    type: 'DeclarativeSource',
    check: { type: 'CheckStream', stream_names: names.slice(0, 1) },
    spec: { type: 'Spec', connection_specification: { type: 'object', properties: {} } },
    streams: names.map((name, part) => streamOf(workload, url, name, part)),
    ...(areSideBySide && {
      concurrency_level: { type: 'ConcurrencyLevel', default_concurrency: 16, max_concurrency: 16 },
    }),
  }
}

function streamOf(workload: Workload, url: string, name: string, part: number): object {
  const { shape, latencyMs } = workload
  const slices = sliceNames(workload)
  const parameter = (field: string) => ({
    type: 'RequestOption',
    inject_into: 'request_parameter',
    field_name: field,
  })
  return {
    type: 'DeclarativeStream',
    name,
    primary_key: ['id'],
    schema_loader: { type: 'InlineSchemaLoader', schema: schemaOf(shape) },
    retriever: {
      type: 'SimpleRetriever',
      requester: {
        type: 'HttpRequester',
        url_base: url,
        path: `/${shape}/${slices === null ? part : '{{ stream_partition.part }}'}`,
        http_method: 'GET',
        request_parameters: { total: String(totalOf(workload)), ...(latencyMs > 0 && { delay: String(latencyMs) }) },
      },
      record_selector: {
        type: 'RecordSelector',
        extractor: { type: 'DpathExtractor', field_path: ['data'] },
        ...(shape === 'wide' && {
          record_filter: { type: 'RecordFilter', condition: "{{ record['status'] == 'open' }}" },
        }),
      },
      paginator: {
        type: 'DefaultPaginator',
        pagination_strategy: { type: 'OffsetIncrement', page_size: pageSize },
        page_token_option: parameter('offset'),
        page_size_option: parameter('limit'),
      },
      ...(slices !== null && {
        partition_router: { type: 'ListPartitionRouter', values: slices, cursor_field: 'part' },
      }),
    },
    ...(shape === 'wide' && { transformations }),
  }
}

const transformations = [
  {
    type: 'AddFields',
    fields: [
      { type: 'AddedFieldDefinition', path: ['label'], value: "{{ record['first'] }} {{ record['last'] }}" },
      { type: 'AddedFieldDefinition', path: ['amount'], value: "{{ record['price'] * record['quantity'] }}" },
    ],
  },
  { type: 'RemoveFields', field_pointers: [['notes'], ['nested', 'secret']] },
]
