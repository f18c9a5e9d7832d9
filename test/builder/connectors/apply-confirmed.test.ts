import assert from 'node:assert/strict'
import { test } from 'node:test'
import { confirmationOf, withConfirmed } from '../../../src/builder/connectors/confirm/apply-confirmed.ts'
import type { Detection } from '../../../src/server/wire/detection.ts'

const retriever = (indent: string) => `${indent}retriever:
${indent}  requester: { path: /orders, request_parameters: { page: '1' } }
${indent}  record_selector: { extractor: { type: DpathExtractor, field_path: [data] } }
${indent}  # Pagination not confirmed: page number (a parameter is named so).
${indent}  paginator:
${indent}    type: DefaultPaginator
${indent}    pagination_strategy: { type: PageIncrement, page_size: 50 }
${indent}    page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: page }
`
const text = `definitions:
  parents:
    orders:
      name: orders
${retriever('      ')}streams:
  - name: orders
${retriever('    ')}  - name: others
${retriever('    ')}spec:
  connection_specification:
    required: [key, site]
    properties: { key: { title: API key, airbyte_secret: true }, site: { default: a }, other: {} }
`

function detected(type: string, name: string, answer: Detection['answer'] = 'paginated'): Detection {
  const paginator = {
    type: 'DefaultPaginator',
    pagination_strategy: { type, page_size: 100 },
    page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: name },
  }
  const facts = { token: null, size: null, firstPage: null, pageSize: null, sizeCap: null, cursorAt: null, stops: '' }
  const candidate = { method: 'offset', says: `by ${name}`, confidence: 'shown', evidence: ['seen'], paginator, facts }
  return {
    answer,
    says: 'words',
    recordPath: ['data'],
    candidates: answer === 'paginated' ? [candidate as Detection['candidates'][number]] : [],
    probes: [],
    manifest: null,
  }
}

test('what the API shows is a confirmation, whatever the page size, or takes the place of the proposal', () => {
  assert.equal(confirmationOf(text, 'orders', detected('PageIncrement', 'page')).kind, 'confirmed')
  const replaced = confirmationOf(text, 'orders', detected('OffsetIncrement', 'offset'))
  assert.deepEqual([replaced.kind, replaced.says, replaced.evidence], ['replaced', 'by offset', ['seen']])
  assert.equal(confirmationOf(text, 'orders', detected('', '', 'cannot-tell')).kind, 'unclear')
  assert.equal(confirmationOf(text, 'orders', detected('', '', 'not-paginated')).kind, 'unclear')
  const elsewhere = { ...detected('PageIncrement', 'page'), recordPath: ['items'] }
  assert.equal(confirmationOf(text, 'orders', elsewhere).kind, 'replaced')
})

test('it is written into the stream, into its copy as a parent, and into the comment; other streams stay', () => {
  const found = confirmationOf(text, 'orders', detected('OffsetIncrement', 'offset'))
  const written = withConfirmed(text, new Map([['orders', found]]))
  assert.equal(written.match(/type: OffsetIncrement/g)?.length, 2)
  assert.equal(written.match(/# Pagination corrected by asking the API: by offset/g)?.length, 2)
  assert.equal(written.slice(written.indexOf('  - name: others')), text.slice(text.indexOf('  - name: others')))
  const unclear = confirmationOf(text, 'orders', detected('', '', 'cannot-tell'))
  assert.equal(withConfirmed(text, new Map([['orders', unclear]])), text)
  assert.equal(withConfirmed(text, new Map([['gone', found]])), text)
})
