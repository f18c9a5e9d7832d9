import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitOf } from '../../../src/lab/mirror/match-request.ts'
import type { MirrorRequest } from '../../../src/lab/mirror/mirror-request.ts'

const requester = (path: string) => ({ type: 'HttpRequester', url_base: 'https://api.example.com', path })

const fitting = (path: string, requested: string) => {
  const asked: MirrorRequest = {
    method: 'GET',
    url: new URL(requested, 'https://api.example.com'),
    headers: {},
    body: '',
  }
  return fitOf(requester(path), {})(asked)
}

test('the list of a parent is not taken for that of a child whose id is missing', () => {
  const child = "/observers/{{ stream_partition['id'] }}/"
  assert.ok(fitting('/observers/', '/observers/?page=2') >= 0)
  assert.ok(fitting(child, '/observers/?page=2') < 0)
  assert.ok(fitting(child, '/observers/7/?page=2') >= 0)
})

test('the last part of a path may be empty', () => {
  assert.ok(fitting("/orders/{{ stream_partition['id'] }}", '/orders/') >= 0)
})
