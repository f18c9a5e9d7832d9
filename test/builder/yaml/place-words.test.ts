import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formWords, problemWords } from '../../../src/builder/yaml/place-words.ts'

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
  assert.equal(problemWords({ ...said, at }, []).hint, 'Look at line 4, column 2.')
  assert.equal(problemWords({ ...said, at: { pointer: '' } }, []).hint, said.hint)
})

test('a missing key is a required field, also where its place is not known', () => {
  assert.equal(formWords('CursorPagination has no `cursor_value`.'), 'Next page cursor is required.')
  assert.equal(formWords('DatetimeBasedCursor has no `start_datetime`.'), 'Start is required.')
  assert.equal(formWords('ListPartitionRouter has no `cursor_field`.'), 'Partition field is required.')
})

test('a missing key is a required field of a section', () => {
  const streams = [{ name: 'orders', path: ['streams', 0], kind: 'written' as const }]
  const missing = (message: string, pointer: string) =>
    problemWords(
      { code: 'manifest/missing-field', severity: 'error', message, hint: 'Add it.', at: { pointer } },
      streams,
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
