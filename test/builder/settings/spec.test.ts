import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDocument } from '../../../src/document/open-document.ts'
import {
  addInput,
  inputsIn,
  nameFault,
  removeInput,
  renameInput,
  titleFrom,
} from '../../../src/builder/settings/inputs/spec-inputs.ts'

const manifest = `version: 6.0.0 # ours
definitions:
  requester:
    url_base: "https://{{ config['region'] }}.test" # per region
spec:
  type: Spec
  connection_specification:
    type: object
    required: [region]
    properties:
      # where the shop is
      region: { type: string, order: 1 }
      start: { type: string, order: 0 }
`

test('inputs come in the order of the spec, and say which are required', () => {
  const inputs = inputsIn(openDocument(manifest).value)
  assert.deepEqual(
    inputs.map(({ name, isRequired }) => [name, isRequired]),
    [
      ['start', false],
      ['region', true],
    ],
  )
})

test('a first input makes the spec', () => {
  const text = addInput('version: 6.0.0\n', 'api_key', { title: 'API key', airbyte_secret: true })
  assert.deepEqual(openDocument(text).value, {
    version: '6.0.0',
    spec: {
      type: 'Spec',
      connection_specification: {
        type: 'object',
        $schema: 'http://json-schema.org/draft-07/schema#',
        additionalProperties: true,
        required: ['api_key'],
        properties: { api_key: { type: 'string', title: 'API key', airbyte_secret: true, order: 0 } },
      },
    },
  })
})

test('an input that is there stays as it is', () => {
  assert.equal(addInput(manifest, 'region', { title: 'Other' }), manifest)
})

test('renaming changes the spec and the templates, and nothing else of the text', () => {
  assert.equal(
    renameInput(manifest, 'region', 'area'),
    manifest
      .replace("config['region']", "config['area']")
      .replace('[region]', '[area]')
      .replace('region: {', 'area: {'),
  )
})

test('deleting takes the input out of the required ones too', () => {
  const root = openDocument(removeInput(manifest, 'region')).value
  assert.deepEqual(
    inputsIn(root).map(({ name }) => name),
    ['start'],
  )
  assert.doesNotMatch(removeInput(manifest, 'region'), /required/)
})

test('names that templates could not say are refused', () => {
  const { value: root } = openDocument(manifest)
  for (const name of ['', '1st', "it's", 'a b', 'region', '__proto__ x']) assert.notEqual(nameFault(root, name), null)
  for (const name of ['area', 'api-key', '_x', 'constructor']) assert.equal(nameFault(root, name), null)
})

test('titles are words', () => {
  assert.equal(titleFrom('api_key'), 'API key')
  assert.equal(titleFrom('client_id'), 'Client ID')
  assert.equal(titleFrom('start-date'), 'Start date')
})
