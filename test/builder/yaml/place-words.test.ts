import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldWords, formWords, problemWords } from '../../../src/builder/yaml/place-words.ts'

test('codes of the network are words', () => {
  const said = {
    'x.test cannot be reached (ECONNREFUSED): connect ECONNREFUSED 127.0.0.1:9.': 'X.test refuses the connection.',
    'x.test cannot be reached (ENOTFOUND): getaddrinfo ENOTFOUND x.test.': 'X.test is not a known host.',
    'x.test closed the connection before it answered (UND_ERR_SOCKET).':
      'X.test closed the connection before it answered.',
    'http://x.test/a is refused.': 'http://x.test/a is refused.',
    'x.test does not answer in HTTP (HPE_INVALID_CONSTANT).': 'X.test does not answer in HTTP.',
  }
  for (const [engine, form] of Object.entries(said)) assert.equal(formWords(engine), form)
})

test('what sends a value is called as the form calls it', () => {
  assert.equal(
    formWords('request_parameters and page_size_option write `limit` in the query.'),
    'Query parameters and the injected page size write `limit` in the query.',
  )
})

test('a missing decoder is a choice of the form', () => {
  const hint = (decoder: string) =>
    `Name the format in the manifest: add \`decoder: { type: ${decoder} }\` to the retriever of the stream.`
  const set = (format: string) => `Set Response format, in Records, to ${format}.`
  assert.equal(formWords(hint('CsvDecoder')), set('CSV'))
  assert.equal(formWords(hint('GzipDecoder, decoder: { type: JsonDecoder }')), set('Gzip'))
  assert.equal(formWords(hint('ZipfileDecoder, decoder: { type: JsonDecoder }')), set('ZIP'))
})

test('a position that a message names is a line and a column', () => {
  const at = { pointer: '', line: 4, column: 2 }
  const said = {
    code: 'manifest/syntax',
    severity: 'error' as const,
    message: 'No.',
    hint: 'Look at the position named.',
  }
  assert.equal(problemWords({ ...said, at }, [], 'form').hint, 'Look at line 4, column 2.')
  assert.equal(problemWords({ ...said, at: { pointer: '' } }, [], 'form').hint, said.hint)
})

test('a missing key is a required field, also where its place is not known', () => {
  assert.equal(formWords('CursorPagination has no `cursor_value`.'), 'Next page cursor is required.')
  assert.equal(formWords('DatetimeBasedCursor has no `start_datetime`.'), 'Start is required.')
  assert.equal(formWords('ListPartitionRouter has no `cursor_field`.'), 'Partition field is required.')
})

test('a problem of a template has its place in the form, and in the text its line', () => {
  const streams = [{ name: 'orders', path: ['streams', 0], kind: 'written' as const }]
  const hint = 'Correct the template at the position named.'
  const said = (message: string, view: 'form' | 'yaml') => {
    const at = { pointer: '/streams/0/retriever/requester/path', line: 62, column: 15 }
    return problemWords({ code: 'template/syntax', severity: 'error', message, hint, at }, streams, view)
  }
  const message = 'Template "/a/{{ \\"b\\". }}" at 1:13: expected a name after `.`'
  assert.deepEqual(said(message, 'form'), {
    message: 'orders › Request › path, character 13: expected a name after `.`',
    hint: '',
  })
  assert.deepEqual(said(message, 'yaml'), { message, hint: 'Correct the template at line 62, column 15.' })
  assert.equal(
    said('Template "a\\n{{ b" at 2:5: expected `}}`', 'form').message,
    'orders › Request › path, line 2, character 5: expected `}}`.',
  )
})

test('next to its field, a problem of a template has only its place in it', () => {
  const unknown = 'Template "{{ b }}" at 1:4: there is no `b` here. This place offers config.'
  assert.deepEqual(fieldWords({ message: unknown, hint: 'Use one of them.' }), {
    message: 'Character 4: there is no `b` here. This place offers config.',
    hint: 'Use one of them.',
  })
  const other = { message: 'The spec has no input `a`.', hint: 'Look at the position named.' }
  assert.deepEqual(fieldWords(other), other)
})

test('a missing key is a required field of a section', () => {
  const streams = [{ name: 'orders', path: ['streams', 0], kind: 'written' as const }]
  const missing = (message: string, pointer: string) =>
    problemWords(
      { code: 'manifest/missing-field', severity: 'error', message, hint: 'Add it.', at: { pointer } },
      streams,
      'form',
    )
  const strategy = '/streams/0/retriever/paginator/pagination_strategy'
  assert.deepEqual(missing('CursorPagination has no `cursor_value`.', strategy), {
    message: 'orders › Pagination: Next page cursor is required.',
    hint: '',
  })
  const router = '/streams/0/retriever/partition_router'
  assert.equal(
    missing('X has no `cursor_field`.', router).message,
    'orders › Partitioning: Partition field is required.',
  )
})
