import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { inheritedAt } from '../../src/document/follow.ts'

const root: unknown = parse(`
definitions:
  retriever: { requester: { url_base: https://api.example } }
streams:
  - name: roles
    retriever: { $ref: '#/definitions/retriever' }
    $parameters: { path: roles, page_size: 10 }
  - name: boards
    retriever: { requester: { path: own, $parameters: { path: nearest } } }
    $parameters: { path: far }
  - name: users
    retriever: { $ref: '#/definitions/retriever', $parameters: { path: near } }
    $parameters: { path: far }
`)
const pathOf = (stream: number) => ['streams', stream, 'retriever', 'requester', 'path']

describe('what $parameters fill in', () => {
  it('reaches through references', () => {
    assert.equal(inheritedAt(root, pathOf(0)), 'roles')
  })
  it('is the nearest', () => {
    assert.equal(inheritedAt(root, pathOf(2)), 'near')
  })
  it('is nothing where the place says it itself', () => {
    assert.equal(inheritedAt(root, pathOf(1)), undefined)
  })
  it('is undefined where there is none', () => {
    assert.equal(inheritedAt(root, ['streams', 0, 'retriever', 'requester', 'http_method']), undefined)
  })
})
