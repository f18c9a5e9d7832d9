import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  inputNamesIn,
  inputUses,
  soleInput,
  withInputRenamed,
} from '../../../src/builder/settings/inputs/config-references.ts'

test('a template that is one input and nothing else has its name', () => {
  const cases: [unknown, string | null][] = [
    ["{{ config['api_key'] }}", 'api_key'],
    ['{{config["api_key"]}}', 'api_key'],
    ['{{ config.api_key }}', 'api_key'],
    ["{{ config.get('api_key') }}", 'api_key'],
    ["Token {{ config['api_key'] }}", null],
    ["{{ config['credentials']['token'] }}", null],
    ["{{ config['a'] ~ config['b'] }}", null],
    ["{{ config.get('api_key', 'none') }}", null],
    ["{{ config['a'] }}{{ config['b'] }}", null],
    ['sk_live_4f9', null],
    [7, null],
    [undefined, null],
  ]
  for (const [value, name] of cases) assert.equal(soleInput(value), name, String(value))
})

test('uses of an input are found in templates and in paths into the config, and not in plain text', () => {
  const root = {
    streams: [{ url: "https://{{ config['region'] }}.test/{% if config.region %}x{% endif %}" }],
    note: "config['region'] is where the shop is",
    auth: { authenticator_selection_path: ['region', 'kind'], access_token_config_path: ['token'] },
    extractor: { field_path: ['region'] },
  }
  assert.deepEqual(inputUses(root, 'region'), [
    ['streams', 0, 'url'],
    ['auth', 'authenticator_selection_path'],
  ])
  assert.deepEqual(inputNamesIn(root), ['region', 'token'])
})

test('renaming changes every way of writing the input, and no other name', () => {
  const cases: [string, string][] = [
    ["{{ config['key'] }}", "{{ config['token'] }}"],
    ['{{ config["key"] }}', '{{ config["token"] }}'],
    ['{{ config.key }}', '{{ config.token }}'],
    ["{{ config.get('key', 'key') }}", "{{ config.get('token', 'key') }}"],
    ["{{ config['keys'] }} {{ record['key'] }}", "{{ config['keys'] }} {{ record['key'] }}"],
    ["key {{ config['key'] if config.key else 'key' }}", "key {{ config['token'] if config.token else 'key' }}"],
  ]
  for (const [before, after] of cases) assert.equal(withInputRenamed(before, 'key', 'token'), after)
  assert.equal(withInputRenamed('{{ config.key }}', 'key', 'api-token'), "{{ config['api-token'] }}")
  assert.deepEqual(withInputRenamed(['key', 'part'], 'key', 'token'), ['token', 'part'])
})
