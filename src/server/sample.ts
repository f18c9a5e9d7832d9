/** The address of the lab → a sample manifest to start with: four streams, four pagination methods; and its route. */
import { z } from 'zod'
import { ConnectorError } from '../std/errors.ts'
import { json } from './responses.ts'
import { type Route, route } from './route.ts'
import type { Services } from './services.ts'
import { connectorName } from './wire/connector.ts'

const sample = z
  .object({
    url: z.url().describe('Where the sample API listens.'),
    name: connectorName,
    text: z.string().describe('A manifest for it.'),
  })
  .meta({ id: 'Sample' })

export function sampleRoutes({ lab }: Services): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/sample',
      id: 'getSample',
      tag: 'building',
      summary: 'A sample API, and a manifest that reads it',
      description:
        'The lab on this machine, to try the builder without an account. Not available when other machines can reach the server.',
      responses: { 200: { description: 'Both run on this machine.', body: sample } },
      problems: [404],
      handle() {
        if (lab !== null) return json({ url: lab, name: sampleName, text: sampleText(lab) })
        throw new ConnectorError('server/not-found', 'There is no sample API here.', {
          hint: 'It is available where `turnleaf serve` listens on this machine only.',
        })
      },
    }),
  ]
}

const sampleName = 'sample'

export function sampleText(lab: string): string {
  return `# A sample API that runs with the builder, with four pagination methods.
# Press Test, change something, press Test again. Nothing here can break.
version: 6.0.0
type: DeclarativeSource

check:
  type: CheckStream
  stream_names: [customers]

definitions:
  # Shared by all streams. A stream refers to it by $ref, and adds its path.
  requester:
    type: HttpRequester
    url_base: "{{ config.get('base_url') or '${lab}' }}"
    http_method: GET

  # Records are the list at "data": { "data": [ … ] }
  records_at_data:
    type: RecordSelector
    extractor:
      type: DpathExtractor
      field_path: [data]

  schema_loader:
    type: InlineSchemaLoader
    schema:
      $schema: http://json-schema.org/draft-07/schema#
      type: object
      additionalProperties: true
      properties:
        id: { type: integer }
        name: { type: [string, "null"] }
        email: { type: [string, "null"] }
        amount: { type: [number, "null"] }
        created_at: { type: [string, "null"], format: date-time }

streams:
  # Offset Increment: ?limit=60, then ?limit=60&offset=60, and so on. A page with fewer than 60 is the last.
  - type: DeclarativeStream
    name: customers
    primary_key: id
    schema_loader: { $ref: "#/definitions/schema_loader" }
    retriever:
      type: SimpleRetriever
      requester:
        $ref: "#/definitions/requester"
        path: /offset
      record_selector: { $ref: "#/definitions/records_at_data" }
      paginator:
        type: DefaultPaginator
        pagination_strategy:
          type: OffsetIncrement
          page_size: 60
        page_size_option: { type: RequestOption, inject_into: request_parameter, field_name: limit }
        page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: offset }

  # Page Increment: ?page=1, ?page=2, and so on.
  - type: DeclarativeStream
    name: orders
    primary_key: id
    schema_loader: { $ref: "#/definitions/schema_loader" }
    retriever:
      type: SimpleRetriever
      requester:
        $ref: "#/definitions/requester"
        path: /page
      record_selector: { $ref: "#/definitions/records_at_data" }
      paginator:
        type: DefaultPaginator
        pagination_strategy:
          type: PageIncrement
          page_size: 60
          start_from_page: 1
          inject_on_first_request: true
        page_size_option: { type: RequestOption, inject_into: request_parameter, field_name: per_page }
        page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: page }

  # Cursor Pagination: each response has the cursor of the next page, until there is none.
  - type: DeclarativeStream
    name: payments
    primary_key: id
    schema_loader: { $ref: "#/definitions/schema_loader" }
    retriever:
      type: SimpleRetriever
      requester:
        $ref: "#/definitions/requester"
        path: /cursor
      record_selector: { $ref: "#/definitions/records_at_data" }
      paginator:
        type: DefaultPaginator
        pagination_strategy:
          type: CursorPagination
          page_size: 60
          cursor_value: "{{ response.meta.next_token }}"
          stop_condition: "{{ response.meta.next_token is none }}"
        page_size_option: { type: RequestOption, inject_into: request_parameter, field_name: limit }
        page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: cursor }

  # Cursor Pagination by the Link header: the whole URL of the next page is the cursor. The body is the list itself.
  - type: DeclarativeStream
    name: reviews
    primary_key: id
    schema_loader: { $ref: "#/definitions/schema_loader" }
    retriever:
      type: SimpleRetriever
      requester:
        $ref: "#/definitions/requester"
        path: /link
      record_selector:
        type: RecordSelector
        extractor:
          type: DpathExtractor
          field_path: []
      paginator:
        type: DefaultPaginator
        pagination_strategy:
          type: CursorPagination
          page_size: 60
          cursor_value: "{{ headers['link']['next']['url'] }}"
          stop_condition: "{{ 'next' not in headers['link'] }}"
        page_size_option: { type: RequestOption, inject_into: request_parameter, field_name: per_page }
        page_token_option: { type: RequestPath }

# The inputs of the connector.
spec:
  type: Spec
  connection_specification:
    $schema: http://json-schema.org/draft-07/schema#
    type: object
    required: []
    additionalProperties: true
    properties:
      base_url:
        type: string
        title: Base URL
        description: Where the sample API listens. The port may change after a restart.
        default: ${lab}
        order: 0
`
}
