/** What is offered at the caret (¦). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Offer, offerAt } from '../../../src/builder/templates/completion.ts'
import { nameMember, type TemplateNames } from '../../../src/builder/templates/template-names.ts'

const names: TemplateNames = {
  members: [
    nameMember('config', { api_key: 'k', 'start date': '2024' }),
    nameMember('response', { data: [{ id: 1, 'odd key': 2 }], next: 'abc', items: [] }),
  ],
  functions: ['now_utc', 'max'],
  filters: ['lower', 'length'],
}

function offered(marked: string, isAsked = false): { offer: Offer | null; text: string } {
  const caret = marked.indexOf('¦')
  const text = marked.replace('¦', '')
  return { offer: offerAt(text, caret, names, isAsked), text }
}
const labels = (marked: string, isAsked = false) => offered(marked, isAsked).offer?.options.map(({ label }) => label)
const chosen = (marked: string, label: string, isAsked = false) => {
  const { offer, text } = offered(marked, isAsked)
  const option = offer?.options.find((one) => one.label === label)
  assert.ok(offer && option, `${label} is offered in ${marked}`)
  return text.slice(0, offer.from) + option.insert + text.slice(offer.to)
}

test('names and functions where a name begins', () => {
  assert.deepEqual(labels('{{ ¦'), ['config', 'response', 'now_utc', 'max'])
  assert.deepEqual(labels('{{ re¦ }}'), ['response'])
  assert.equal(chosen('{{ re¦ }}', 'response'), '{{ response }}')
  assert.deepEqual(labels('{{ 1 + m¦'), ['max'])
})

test('members after a dot, but no key that a dot cannot reach', () => {
  assert.deepEqual(labels('{{ response.¦ }}'), ['data', 'next'])
  assert.deepEqual(labels('{{ response.data[0].¦'), ['id'])
  assert.equal(labels('{{ response.unknown.¦'), undefined)
})

test('keys in brackets, with the quotes and the bracket that are missing', () => {
  assert.equal(chosen('{{ config[¦', 'start date'), "{{ config['start date']")
  assert.equal(chosen(`{{ config["a¦"] }}`, 'api_key'), '{{ config["api_key"] }}')
  assert.equal(chosen("{{ config['a¦", 'api_key'), "{{ config['api_key']")
  assert.equal(chosen('{{ response.data[¦]', '0'), '{{ response.data[0]')
  assert.deepEqual(labels("{{ response['¦"), ['data', 'next', 'items'])
})

test('filters after a bar', () => {
  assert.deepEqual(labels('{{ response.next | l¦'), ['lower', 'length'])
})

test('nothing inside a text, outside of marks, or where the word is written out', () => {
  for (const marked of ["{{ 'resp¦' }}", 'resp¦', '{{ a }} re¦', '{{ config¦ }}', '{{ 1 ¦']) {
    assert.equal(labels(marked), undefined, marked)
  }
})

test('requested outside of marks, whole templates', () => {
  assert.deepEqual(labels('¦', true), ['config', "config['api_key']", "config['start date']", 'response'])
  assert.equal(chosen('/a/¦', "config['api_key']", true), "/a/{{ config['api_key'] }}")
})

test('no text of any length makes it slow or fail', () => {
  const text = `{{ ${"response['data'].".repeat(20_000)}`
  assert.equal(offerAt(text, text.length, names, true), null)
  const brackets = `{{ ${'['.repeat(20_000)}`
  offerAt(brackets, brackets.length, names, true)
})
