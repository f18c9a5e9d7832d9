import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDocument } from '../../../src/document/open-document.ts'
import { authenticatorGroups, baseUrlGroups } from '../../../src/builder/settings/requester-groups.ts'

const shared = `
definitions:
  auth: { type: BearerAuthenticator }
  requester: { type: HttpRequester, url_base: https://a.test }
  other: { type: HttpRequester, url_base: https://b.test, authenticator: { $ref: "#/definitions/auth" } }
  stream: { retriever: { requester: { $ref: "#/definitions/requester", path: /x } } }
streams:
  - { name: one, $ref: "#/definitions/stream" }
  - { name: two, retriever: { requester: { $ref: "#/definitions/requester", path: /y } } }
  - { name: three, retriever: { requester: { url: "https://c.test/z", authenticator: { $ref: "#/definitions/auth" } } } }
  - { name: four, retriever: { requester: { type: CustomRequester, class_name: a.b.C } } }
`

test('an address that streams share is one, and is where it is written', () => {
  assert.deepEqual(baseUrlGroups(openDocument(shared).value), [
    { at: ['definitions', 'requester', 'url_base'], streams: ['one', 'two'] },
    { at: ['streams', 2, 'retriever', 'requester', 'url'], streams: ['three'] },
    { at: ['definitions', 'other', 'url_base'], streams: [] },
  ])
})

test('a new authenticator is added next to the shared base URL', () => {
  assert.deepEqual(authenticatorGroups(openDocument(shared).value), [
    { at: ['definitions', 'requester', 'authenticator'], streams: ['one', 'two'] },
    { at: ['definitions', 'auth'], streams: ['three'] },
  ])
})

test('a manifest without streams has the address that waits for them; an empty one has none', () => {
  const { value } = openDocument('definitions: { requester: { type: HttpRequester, url_base: x } }\nstreams: []\n')
  assert.deepEqual(baseUrlGroups(value), [{ at: ['definitions', 'requester', 'url_base'], streams: [] }])
  assert.deepEqual(authenticatorGroups(value), [{ at: ['definitions', 'requester', 'authenticator'], streams: [] }])
  assert.deepEqual(baseUrlGroups({}), [])
})

test('a stream made from a template, and one of two halves, have theirs', () => {
  const { value } = openDocument(`
streams:
  - type: StateDelegatingStream
    name: halves
    full_refresh_stream: { retriever: { requester: { url_base: https://a.test } } }
    incremental_stream: { retriever: { requester: { url_base: https://b.test } } }
dynamic_streams:
  - name: made
    stream_template: { retriever: { requester: { url_base: https://c.test } } }
`)
  assert.deepEqual(
    baseUrlGroups(value).map(({ streams }) => streams),
    [['halves'], ['halves'], ['made']],
  )
})
