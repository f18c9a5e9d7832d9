/** A fix changes one stream: comments, layout, references and the other streams stay as they were. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyEdits } from '../../../src/proof/diagnosis/apply-edits.ts'
import { diagnoseAndFix } from '../../../src/proof/diagnosis/diagnose-and-fix.ts'
import { startLab } from '../../../src/lab/lab.ts'
import { broken, labText, writtenAt } from './lab-case.ts'

const text = `# A shop.
definitions:
  paginator: # shared by both
    type: DefaultPaginator
    pagination_strategy: { type: OffsetIncrement, page_size: 500 } # too many?
    page_size_option: { type: RequestOption, inject_into: request_parameter, field_name: limit }
streams:
  - name: orders
    retriever:
      paginator: { $ref: "#/definitions/paginator" }
  - name: returns
    retriever:
      paginator: { $ref: "#/definitions/paginator" }
`

const paginator = ['streams', 0, 'retriever', 'paginator']

test('what another stream uses too is changed for one of them', () => {
  const fixed = applyEdits(text, [{ path: [...paginator, 'pagination_strategy', 'page_size'], value: 100 }])
  const size = 'paginator.pagination_strategy.page_size'
  assert.equal(writtenAt(fixed, 'orders', size), 100)
  assert.equal(writtenAt(fixed, 'returns', size), 500)
  assert.ok(fixed.includes('# shared by both') && fixed.includes('# too many?'))
})

test('what is taken out of a shared definition is gone for one stream, not written as nothing', () => {
  const fixed = applyEdits(text, [{ path: [...paginator, 'page_size_option'] }])
  assert.equal(writtenAt(fixed, 'orders', 'paginator.page_size_option'), undefined)
  assert.ok(writtenAt(fixed, 'returns', 'paginator.page_size_option'))
  assert.ok(!fixed.includes('null'))
})

test('taking out what is not there changes nothing', () => {
  assert.equal(applyEdits(text, [{ path: [...paginator, 'page_token_option'] }]), text)
})

test('a fixed manifest is the old one but for the lines that were wrong', async () => {
  await using lab = await startLab({ size: 250 })
  const wrong = broken('cursor', { 'paginator.page_token_option.field_name': 'token' })
  const { text: fixed, applied } = await diagnoseAndFix(wrong, { stream: 'cursor', config: { base_url: lab.url } })
  assert.equal(applied.length, 1)
  assert.equal(fixed, labText)
})

test('a fault in a shared definition is fixed for the stream that was examined', async () => {
  await using lab = await startLab({ size: 250 })
  const wrong = labText.replace('field_name: offset }', 'field_name: skip }')
  assert.notEqual(wrong, labText)
  const { text: fixed } = await diagnoseAndFix(wrong, { stream: 'offset', config: { base_url: lab.url } })
  assert.equal(writtenAt(fixed, 'offset', 'paginator.page_token_option.field_name'), 'offset')
  assert.equal(writtenAt(fixed, 'secure_bearer', 'paginator.page_token_option.field_name'), 'skip')
})
