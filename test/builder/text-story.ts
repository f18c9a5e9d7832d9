/** A connector for stories about its text and its templates. */

/** Reads the lab by cursor, with a comment and a key that no form knows. */
export function cursorManifest(lab: string): string {
  return `# written by hand
version: 6.0.0
type: DeclarativeSource
check:
  type: CheckStream
  stream_names: [orders]
streams:
  - type: DeclarativeStream
    name: orders # the only one
    retriever:
      type: SimpleRetriever
      requester:
        type: HttpRequester
        url_base: ${lab}
        path: /cursor
        x-note: kept
      record_selector:
        type: RecordSelector
        extractor: { type: DpathExtractor, field_path: [data] }
      paginator:
        type: DefaultPaginator
        pagination_strategy:
          type: CursorPagination
          cursor_value: "{{ response.meta.next_token or '' }}"
          stop_condition: "{{ not response.meta.next_token }}"
        page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: cursor }
    schema_loader:
      type: InlineSchemaLoader
      schema: { type: object, properties: {} }
spec:
  type: Spec
  connection_specification:
    type: object
    properties:
      region: { type: string, title: Region }
      api_key: { type: string, airbyte_secret: true }
`
}
