import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { curlCommand } from '../../../src/builder/test-reads/exchange/curl.ts'

const get = { method: 'GET', url: 'https://api.example.com/orders?limit=2', headers: {}, body: null }

/** What a shell makes of the command: the arguments curl would get. */
function argumentsOf(command: string, env: Record<string, string> = {}): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
  const { stdout, status } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env })
  assert.equal(status, 0)
  return stdout.split('\0').slice(0, -1)
}

test('a plain request is one short line', () => {
  assert.equal(curlCommand(get, []).text, "curl 'https://api.example.com/orders?limit=2'")
})

test('a hidden header becomes a variable named after the only secret input', () => {
  const { text, variables } = curlCommand({ ...get, headers: { 'X-Key': '****' } }, ['api_key'])
  assert.equal(text, `curl 'https://api.example.com/orders?limit=2' \\\n  -H 'X-Key: '"$API_KEY"`)
  assert.deepEqual(variables, ['API_KEY'])
  assert.deepEqual(argumentsOf(text, { API_KEY: "it's $5" }), [get.url, '-H', "X-Key: it's $5"])
})

test('with several secrets a variable is named after the place', () => {
  const url = 'https://api.example.com/?key=****&page=2&sig=****'
  const { text, variables } = curlCommand({ ...get, url }, ['a', 'b'])
  assert.deepEqual(variables, ['KEY', 'SIG'])
  assert.deepEqual(argumentsOf(text, { KEY: '1', SIG: '2' }), ['https://api.example.com/?key=1&page=2&sig=2'])
})

test('an Authorization header that is hidden whole is a variable whole', () => {
  const { variables } = curlCommand({ ...get, headers: { authorization: '****' } }, ['api_key'])
  assert.deepEqual(variables, ['AUTHORIZATION'])
})

test('what follows "Bearer" is the input', () => {
  const { text } = curlCommand({ ...get, headers: { authorization: 'Bearer ****' } }, ['api_key'])
  assert.deepEqual(argumentsOf(text, { API_KEY: 'k' }).slice(1), ['-H', 'authorization: Bearer k'])
})

test('a body is sent as it was, whatever quotes it has', () => {
  const body = `{"name": "it's $HOME \`now\`!", "n": "\\\\"}`
  const request = {
    ...get,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': '9' },
    body,
  }
  const { text } = curlCommand(request, [])
  assert.deepEqual(argumentsOf(text), [get.url, '-H', 'content-type: application/json', '--data-raw', body])
})

test('a method that curl would not choose is named', () => {
  assert.equal(argumentsOf(curlCommand({ ...get, method: 'POST' }, []).text)[1], 'POST')
  assert.equal(argumentsOf(curlCommand({ ...get, method: 'PUT', body: 'x' }, []).text)[1], 'PUT')
})

test('a name that no shell takes is made one', () => {
  assert.deepEqual(curlCommand({ ...get, headers: { 'x-9': '****' } }, ['9$(rm)']).variables, ['SECRET_9_RM'])
})
