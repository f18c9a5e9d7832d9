import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkManifest } from '../../../src/engine/manifest/check.ts'
import { unsupportedIn } from '../../../src/engine/manifest/supported.ts'
import { objectAt } from './node-at.ts'

/** A manifest that is right, to be made wrong in one place. */
const right = `version: 6.0.0
type: DeclarativeSource
check:
  type: CheckStream
  stream_names: [orders]
streams:
  - type: DeclarativeStream
    name: orders
    retriever:
      type: SimpleRetriever
      requester:
        type: HttpRequester
        url_base: https://api.test
        path: /orders
        request_parameters:
          limit: "10"
      record_selector:
        type: RecordSelector
        extractor:
          type: DpathExtractor
          field_path: [data]
      paginator:
        type: DefaultPaginator
        page_token_option:
          type: RequestOption
          inject_into: request_parameter
          field_name: page
        pagination_strategy:
          type: PageIncrement
          page_size: 10
`

const change = (from: string, to: string): string => {
  assert.ok(right.includes(from), from)
  return right.replace(from, to)
}

test('a stream may get its name from `$parameters`, and a parent needs none', () => {
  const parent =
    'parent_stream_configs: [{type: ParentStreamConfig, parent_key: id, partition_field: id, stream: *other}]'
  const other = 'other: &other {type: DeclarativeStream, retriever: {type: CustomRetriever, class_name: source_a.b.C}}'
  const text = change('name: orders', '$parameters: {name: orders}')
    .replace('streams:\n  -', `definitions: {${other}}\nstreams:\n  -`)
    .replace(
      '      paginator:',
      `      partition_router: {type: SubstreamPartitionRouter, ${parent}}\n      paginator:`,
    )
  const { manifest, problems } = checkManifest(text)
  assert.deepEqual(problems, [])
  assert.equal(manifest?.streams[0]?.name, 'orders')
})

const paginator = '/streams/0/retriever/paginator'

test('a right manifest has no problems', () => {
  const { manifest, problems } = checkManifest(right, { file: 'shop.yaml' })
  assert.deepEqual(problems, [])
  assert.equal(manifest?.version, '6.0.0')
  assert.equal(manifest.file, 'shop.yaml')
  assert.equal(manifest.streams[0]?.name, 'orders')
  assert.equal(manifest.spec, null)
  assert.deepEqual(manifest.unsupported, [])
  assert.deepEqual(manifest.at(manifest.streams[0] ?? {}, 'name'), {
    pointer: '/streams/0/name',
    file: 'shop.yaml',
    line: 8,
    column: 11,
  })
})

type Row = [
  name: string,
  text: string,
  code: string,
  severity: string,
  message: RegExp,
  hint: RegExp,
  pointer: string,
  line: number,
]

const rows: Row[] = [
  [
    'an unknown type',
    change('type: PageIncrement', 'type: PageIncrment'),
    'manifest/unknown-component',
    'error',
    /`PageIncrment`/,
    /Did you mean `PageIncrement`/,
    `${paginator}/pagination_strategy/type`,
    29,
  ],
  [
    'a type of another place',
    change('type: PageIncrement', 'type: RequestPath'),
    'manifest/invalid-value',
    'error',
    /`RequestPath` is not allowed at `pagination_strategy`/,
    /Use `PageIncrement`, `OffsetIncrement`/,
    `${paginator}/pagination_strategy/type`,
    29,
  ],
  [
    'a type that is a list',
    change('type: PageIncrement', 'type: []'),
    'manifest/unknown-component',
    'error',
    /a list/,
    /Use `PageIncrement`/,
    `${paginator}/pagination_strategy/type`,
    29,
  ],
  [
    'no type where none is implied',
    change('          type: PageIncrement\n', ''),
    'manifest/missing-field',
    'error',
    /`pagination_strategy` has no `type`/,
    /`PageIncrement`/,
    `${paginator}/pagination_strategy`,
    29,
  ],
  [
    'a misspelt field',
    change('page_size: 10', 'page_sizee: 10'),
    'manifest/unknown-field',
    'warning',
    /PageIncrement has no field `page_sizee`/,
    /Did you mean `page_size`\?/,
    `${paginator}/pagination_strategy/page_sizee`,
    30,
  ],
  [
    'an unknown field at the top',
    `${right}stream: []\n`,
    'manifest/unknown-field',
    'error',
    /DeclarativeSource has no field `stream`/,
    /A manifest has `check`/,
    '/stream',
    31,
  ],
  [
    'a missing field',
    change('          field_path: [data]\n', ''),
    'manifest/missing-field',
    'error',
    /DpathExtractor has no `field_path`/,
    /Add `field_path`: a list/,
    '/streams/0/retriever/record_selector/extractor',
    20,
  ],
  [
    'a missing field that was misspelt',
    change('field_path: [data]', 'field_pth: [data]'),
    'manifest/missing-field',
    'error',
    /no `field_path`/,
    /Is `field_pth` meant to be `field_path`/,
    '/streams/0/retriever/record_selector/extractor',
    20,
  ],
  [
    'no streams at all',
    right.slice(0, right.indexOf('streams:\n')),
    'manifest/missing-field',
    'error',
    /neither `streams` nor `dynamic_streams`/,
    /Add `streams`/,
    '',
    1,
  ],
  [
    'a boolean for a number',
    change('page_size: 10', 'page_size: true'),
    'manifest/wrong-type',
    'error',
    /`page_size` is the boolean true; it must be a whole number or text/,
    /^Give it a whole number, or a template that gives one\.$/,
    `${paginator}/pagination_strategy/page_size`,
    30,
  ],
  [
    'a fraction for a page size, which quotes would not help',
    change('page_size: 10', 'page_size: 2.5'),
    'manifest/wrong-type',
    'error',
    /`page_size` is the number 2.5/,
    /^Give it a whole number, or a template that gives one\.$/,
    `${paginator}/pagination_strategy/page_size`,
    30,
  ],
  [
    'a negative page size',
    change('page_size: 10', 'page_size: -5'),
    'manifest/invalid-value',
    'warning',
    /`page_size` is -5: only an empty page ends the read/,
    /number of records that a full page has/,
    `${paginator}/pagination_strategy/page_size`,
    30,
  ],
  [
    'a fraction for a whole number',
    change('page_size: 10', 'start_from_page: 1.5'),
    'manifest/wrong-type',
    'error',
    /the number 1.5; it must be a whole number/,
    /Give it a whole number/,
    `${paginator}/pagination_strategy/start_from_page`,
    30,
  ],
  [
    'a number where text is wanted',
    change('limit: "10"', 'limit: 10'),
    'manifest/wrong-type',
    'error',
    /`limit` is the number 10/,
    /Write it in quotes: "10"/,
    '/streams/0/retriever/requester/request_parameters/limit',
    16,
  ],
  [
    'a version without quotes',
    change('version: 6.0.0', 'version: 6.0'),
    'manifest/wrong-type',
    'error',
    /`version` is the number 6.0/,
    /Write it in quotes: "6.0"/,
    '/version',
    1,
  ],
  [
    'an object where a list is wanted',
    change('field_path: [data]', 'field_path: {a: b}'),
    'manifest/wrong-type',
    'error',
    /`field_path` is an object; it must be a list/,
    /Give it a list/,
    '/streams/0/retriever/record_selector/extractor/field_path',
    21,
  ],
  [
    'text where a component is wanted',
    change(
      '        type: HttpRequester\n        url_base: https://api.test\n        path: /orders\n        request_parameters:\n          limit: "10"\n',
      '        oops\n',
    ),
    'manifest/wrong-type',
    'error',
    /`requester` is `oops`; it must be a component of type `HttpRequester` or `CustomRequester`/,
    /Give it a component/,
    '/streams/0/retriever/requester',
    12,
  ],
  [
    'nothing after a key',
    change('page_size: 10', 'page_size:'),
    'manifest/wrong-type',
    'error',
    /`page_size` is empty/,
    /remove the key/,
    `${paginator}/pagination_strategy/page_size`,
    30,
  ],
  [
    'a wrong word',
    change('inject_into: request_parameter', 'inject_into: request_paramter'),
    'manifest/invalid-value',
    'error',
    /`inject_into` is `request_paramter`; it can be `request_parameter`, `header`/,
    /Did you mean `request_parameter`/,
    `${paginator}/page_token_option/inject_into`,
    26,
  ],
  [
    'an option without a name',
    change('          field_name: page\n', ''),
    'manifest/missing-field',
    'error',
    /no `field_name`/,
    /Add `field_name`/,
    `${paginator}/page_token_option`,
    25,
  ],
  [
    'an option with name and path',
    change('field_name: page', 'field_name: page\n          field_path: [a]'),
    'manifest/invalid-value',
    'error',
    /both `field_name` and `field_path`/,
    /Keep one/,
    `${paginator}/page_token_option/field_path`,
    28,
  ],
  [
    'a path outside of a JSON body',
    change('field_name: page', 'field_path: [a]'),
    'manifest/invalid-value',
    'error',
    /needs `inject_into: body_json`; it is `request_parameter`/,
    /Use `field_name`/,
    `${paginator}/page_token_option/field_path`,
    27,
  ],
  [
    'a key that is sent in no place',
    change('path: /orders', 'path: /orders\n        authenticator: {type: ApiKeyAuthenticator, api_token: x}'),
    'manifest/missing-field',
    'error',
    /does not say where the key goes/,
    /`inject_into`/,
    '/streams/0/retriever/requester/authenticator',
    15,
  ],
  [
    'parameters that are a list',
    change('    name: orders\n', '    name: orders\n    $parameters: [a]\n'),
    'manifest/wrong-type',
    'error',
    /`\$parameters` is a list; it must be an object/,
    /names and values/,
    '/streams/0/$parameters',
    9,
  ],
  [
    'a reference to nothing',
    change('page_size: 10', 'page_size: "#/definitions/size"'),
    'manifest/broken-reference',
    'error',
    /`#\/definitions\/size` points to nothing/,
    /Point it/,
    `${paginator}/pagination_strategy/page_size`,
    30,
  ],
  [
    'a stream without a name',
    change('name: orders', 'x-name: orders').replace('[orders]', '[]'),
    'manifest/missing-field',
    'error',
    /has no `name`/,
    /Give the stream a `name`/,
    '/streams/0',
    7,
  ],
  [
    'a stream with an empty name',
    change('name: orders', 'name: ""').replace('[orders]', '[]'),
    'manifest/missing-field',
    'error',
    /`name` of a stream is empty/,
    /Give the stream a `name`/,
    '/streams/0/name',
    8,
  ],
  [
    'two streams of one name',
    `${right}  - $ref: "#/streams/0"\n    primary_key: id\n`
      .replace('"#/streams/0"', '"#/definitions/s"')
      .replace(
        'streams:\n  -',
        'definitions:\n  s: {type: DeclarativeStream, name: orders, retriever: {type: CustomRetriever, class_name: source_a.b.C}}\nstreams:\n  -',
      ),
    'manifest/duplicate-stream',
    'error',
    /Two streams are named `orders`/,
    /unique name/,
    '/definitions/s/name',
    7,
  ],
  [
    'a check of a stream that is not there',
    change('[orders]', '[order]'),
    'manifest/unknown-stream',
    'warning',
    /`check` names the stream `order`/,
    /Did you mean `orders`/,
    '/check/stream_names/0',
    5,
  ],
  [
    'a check where there is no stream',
    change(right.slice(right.indexOf('streams:')), 'streams: []\n'),
    'manifest/unknown-stream',
    'warning',
    /`check` names the stream `orders`/,
    /^Give a stream this name\.$/,
    '/check/stream_names/0',
    5,
  ],
  [
    'an item of a list',
    change(
      '        path: /orders\n',
      '        path: /orders\n        error_handler:\n          type: DefaultErrorHandler\n          response_filters:\n' +
        '            - {type: HttpResponseFilter, action: IGNORE, http_codes: [404, 4xx]}\n',
    ),
    'manifest/wrong-type',
    'error',
    /^`http_codes\/1` is `4xx`; it must be a whole number\.$/,
    /Give it a whole number/,
    '/streams/0/retriever/requester/error_handler/response_filters/0/http_codes/1',
    18,
  ],
  [
    'a page token that nothing sends',
    change(
      '        page_token_option:\n          type: RequestOption\n          inject_into: request_parameter\n          field_name: page\n',
      '',
    ),
    'manifest/unused-page-token',
    'warning',
    /page token of `orders`/,
    /page_token_option/,
    paginator,
    23,
  ],
  [
    'an older spelling',
    change('inject_into: request_parameter', 'inject_into: body'),
    'manifest/older-spelling',
    'note',
    /read as `body_json`/,
    /Write `inject_into: body_json`/,
    `${paginator}/page_token_option/inject_into`,
    26,
  ],
  [
    'a key written twice',
    change('path: /orders', 'path: /orders\n        path: /orders'),
    'manifest/duplicate-key',
    'warning',
    /`path` is written twice/,
    /Keep one/,
    '/streams/0/retriever/requester/path',
    15,
  ],
  [
    'text that is no YAML',
    change('page_size: 10', 'page_size: "10'),
    'manifest/syntax',
    'error',
    /not readable as YAML or JSON/,
    /quote/,
    '',
    31,
  ],
]

for (const [name, text, code, severity, message, hint, pointer, line] of rows) {
  test(`reported: ${name}`, () => {
    const { manifest, problems } = checkManifest(text, { file: 'shop.yaml' })
    const [first] = problems
    assert.ok(first)
    assert.deepEqual(
      [first.code, first.severity, first.at.pointer, first.at.line, first.at.file],
      [code, severity, pointer, line, 'shop.yaml'],
    )
    assert.match(first.message, message)
    assert.match(first.hint, hint)
    assert.equal(manifest === null, severity === 'error')
    if (manifest !== null) assert.deepEqual(manifest.problems, problems)
  })
}

test('every problem is reported at once, errors first', () => {
  const text = change('page_size: 10', 'page_sizee: 10\n          start_from_page: x')
    .replace('type: DpathExtractor', 'type: Dpath')
    .replace('[orders]', '[none]')
  assert.deepEqual(
    checkManifest(text).problems.map(({ code }) => code),
    ['manifest/unknown-component', 'manifest/wrong-type', 'manifest/unknown-stream', 'manifest/unknown-field'],
  )
})

test('a problem of a shared definition is reported once', () => {
  const text = `definitions:\n  sel: {type: RecordSelector, extractor: {type: DpathExtractor}}\n${right.replace(/record_selector:\n(?: {8}.*\n)+/, 'record_selector: {$ref: "#/definitions/sel"}\n')}  - type: DeclarativeStream\n    name: more\n    retriever: {requester: {url_base: https://x}, record_selector: {$ref: "#/definitions/sel"}}\n`
  const { problems } = checkManifest(text)
  assert.deepEqual(
    problems.map(({ code, at }) => [code, at.pointer]),
    [['manifest/missing-field', '/definitions/sel/extractor']],
  )
})

test('keys that a parameter wrote are not reported', () => {
  const text = change(
    '    name: orders\n',
    '    name: orders\n    $parameters: {pth: /x, urlbase: y, field_path: [z]}\n',
  )
  const { manifest, problems } = checkManifest(text)
  assert.deepEqual(problems, [])
  const option = objectAt(manifest?.streams, 0, 'retriever', 'paginator', 'page_token_option')
  assert.equal('field_path' in option, false)
})

test('a page token may be sent by a template', () => {
  const text = change(
    '        page_token_option:\n          type: RequestOption\n          inject_into: request_parameter\n          field_name: page\n',
    '',
  )
  assert.deepEqual(
    checkManifest(text.replace('limit: "10"', `p: "{{ next_page_token['next_page_token'] }}"`)).problems,
    [],
  )
})

test('injection into a body becomes a form where the stream sends one', () => {
  for (const body of ['request_body_data: {a: b}', 'request_body: {type: RequestBodyUrlEncodedForm, value: {a: b}}']) {
    const text = change('inject_into: request_parameter', 'inject_into: body').replace(
      'path: /orders',
      `path: /orders\n        ${body}`,
    )
    const { manifest, problems } = checkManifest(text)
    assert.match(problems[0]?.message ?? '', /read as `body_data`, since the stream sends a form/)
    const option = objectAt(manifest?.streams, 0, 'retriever', 'paginator', 'page_token_option')
    assert.equal(option.inject_into, 'body_data')
  }
})

test('an object has pointers, no lines, and stays as it was', () => {
  const source = {
    version: '1',
    check: { stream_names: [] },
    streams: [{ name: 'a', retriever: { requester: {}, record_selector: { extractor: {} } } }],
  }
  const before = JSON.stringify(source)
  const { problems } = checkManifest(source)
  assert.deepEqual(
    problems.map(({ code, at }) => [code, at]),
    [['manifest/missing-field', { pointer: '/streams/0/retriever/record_selector/extractor' }]],
  )
  assert.equal(JSON.stringify(source), before)
})

test('what cannot run yet is named and counted, for the source and for a stream', () => {
  const { manifest } = checkManifest(
    change('retriever:', 'incremental_sync: {type: CustomIncrementalSync, class_name: a.b.C}\n    retriever:'),
  )
  assert.deepEqual(
    manifest?.unsupported.map(({ type, count, at }) => [type, count, at.line]),
    [['CustomIncrementalSync', 1, 9]],
  )
  assert.deepEqual(
    unsupportedIn(manifest.streams[0]).map(({ type }) => type),
    ['CustomIncrementalSync'],
  )
})
