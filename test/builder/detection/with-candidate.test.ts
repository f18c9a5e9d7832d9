import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withCandidate } from '../../../src/builder/detection/with-candidate.ts'
import { openDocument } from '../../../src/document/open-document.ts'
import { follow } from '../../../src/document/follow.ts'

const retrieverAt = ['streams', 0, 'retriever']
const parts = { paginatorAt: [...retrieverAt, 'paginator'], selectorAt: [...retrieverAt, 'record_selector'] }
const paginator = {
  type: 'DefaultPaginator',
  pagination_strategy: { type: 'PageIncrement', page_size: 100, start_from_page: 1 },
}

const plain = `streams:
  - name: items # the only one
    retriever:
      record_selector:
        extractor: { type: DpathExtractor, field_path: [rows] }
`

const shared = `definitions:
  paging:
    type: DefaultPaginator
    pagination_strategy: { type: OffsetIncrement, page_size: 50 }
  selector:
    extractor:
      type: DpathExtractor
      field_path: [rows]
streams:
  - name: items
    retriever:
      record_selector: { $ref: "#/definitions/selector" }
      paginator: { $ref: "#/definitions/paging" }
  - name: others
    retriever:
      record_selector: { $ref: "#/definitions/selector" }
      paginator: { $ref: "#/definitions/paging" }
`

const valueAt = (text: string, ...path: (string | number)[]) => follow(openDocument(text).value, path).value

describe('what was detected, written into the manifest', () => {
  test('is the paginator and where the records are; comments stay', () => {
    const text = withCandidate(plain, parts, { paginator }, ['data', 'items'])
    assert.deepEqual(valueAt(text, ...parts.paginatorAt), paginator)
    assert.deepEqual(valueAt(text, ...parts.selectorAt, 'extractor', 'field_path'), ['data', 'items'])
    assert.match(text, /# the only one/)
  })

  test('written twice is the same as once', () => {
    const once = withCandidate(plain, parts, { paginator }, ['data'])
    assert.equal(withCandidate(once, parts, { paginator }, ['data']), once)
  })

  test('leaves the record path alone where none was found, or it is so already', () => {
    const unfound = withCandidate(plain, parts, { paginator }, null)
    assert.deepEqual(valueAt(unfound, ...parts.selectorAt, 'extractor', 'field_path'), ['rows'])
    assert.match(withCandidate(plain, parts, { paginator }, ['rows']), /field_path: \[rows\]/)
  })

  const asked = plain.replace(
    '    retriever:\n',
    '    retriever:\n      requester: { path: /orders/3, request_parameters: { range: "0,50", q: a } } # as it was\n',
  )
  const token = "{{ next_page_token['next_page_token'] }}"
  const templates = [
    [
      { into: 'path', fromEnd: 0, text: token },
      { path: `/orders/${token}`, range: '0,50' },
    ],
    [
      { into: 'request_parameter', name: 'range', text: `${token},50` },
      { path: '/orders/3', range: `${token},50` },
    ],
  ] as const
  for (const [template, { path, range }] of templates) {
    test(`puts a template into the ${template.into} of the request, once`, () => {
      const text = withCandidate(asked, parts, { paginator, template }, ['data'])
      const requester = valueAt(text, ...retrieverAt, 'requester')
      assert.deepEqual(requester, { path, request_parameters: { range, q: 'a' } })
      assert.match(text, /# as it was/)
      assert.equal(withCandidate(text, parts, { paginator, template }, ['data']), text)
    })
  }

  test('keeps parameters that later pages refuse on the first request, once', () => {
    const requesterAt = [...retrieverAt, 'requester']
    const filtered = plain.replace(
      '    retriever:\n',
      '    retriever:\n      requester:\n        request_parameters: { status: open, since: "{{ config[\'since\'] }}", key: k }\n',
    )
    const candidate = { paginator, firstOnly: ['status', 'since'] }
    const text = withCandidate(filtered, parts, candidate, null)
    assert.deepEqual(valueAt(text, ...requesterAt, 'request_parameters'), {
      status: '{% if not next_page_token %}open{% endif %}',
      since: "{% if not next_page_token %}{{ config['since'] }}{% endif %}",
      key: 'k',
    })
    assert.equal(withCandidate(text, parts, candidate, null), text)
  })

  test('leaves what other streams share to them', () => {
    const text = withCandidate(shared, parts, { paginator }, ['data'])
    assert.deepEqual(valueAt(text, ...parts.paginatorAt, 'pagination_strategy', 'type'), 'PageIncrement')
    const other = ['streams', 1, 'retriever']
    assert.equal(valueAt(text, ...other, 'paginator', 'pagination_strategy', 'type'), 'OffsetIncrement')
    assert.deepEqual(valueAt(text, ...other, 'record_selector', 'extractor', 'field_path'), ['rows'])
    assert.deepEqual(valueAt(text, ...parts.selectorAt, 'extractor', 'field_path'), ['data'])
  })

  test('takes the paginator out where nothing is paginated', () => {
    const paged = withCandidate(plain, parts, { paginator }, null)
    assert.equal(withCandidate(paged, parts, { paginator: null }, null), plain)
  })

  test('does not touch an extractor of the connector’s own', () => {
    const custom = plain.replace(
      '{ type: DpathExtractor, field_path: [rows] }',
      '{ type: CustomRecordExtractor, class_name: a.b.C }',
    )
    const text = withCandidate(custom, parts, { paginator }, ['data'])
    assert.match(text, /CustomRecordExtractor, class_name: a\.b\.C/)
    assert.equal(valueAt(text, ...parts.selectorAt, 'extractor', 'field_path'), undefined)
  })
})
