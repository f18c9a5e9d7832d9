/** A template is coloured letter for letter, whole or not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateParts } from '../../../src/builder/templates/template-parts.ts'

const shown = (text: string) =>
  templateParts(text)
    .filter(({ from, to }) => text.slice(from, to).trim() !== '')
    .map(({ kind, from, to }) => `${kind} ${text.slice(from, to)}`)

test('names, members, strings, numbers, words and filters are distinguished', () => {
  assert.deepEqual(shown("/a/{{ config['x'].y | lower if 1.5 }}"), [
    'plain /a/',
    'mark {{',
    'name config',
    'sign [',
    "text 'x'",
    'sign ]',
    'sign .',
    'member y',
    'sign |',
    'filter lower',
    'word if',
    'number 1.5',
    'mark }}',
  ])
})

test('a closing mark inside quotes closes nothing', () => {
  assert.deepEqual(shown(`{{ "}}" }}b`), ['mark {{', 'text "}}"', 'mark }}', 'plain b'])
})

test('statements and comments are marks of their own', () => {
  assert.deepEqual(shown('{% if a %}{# }} #}'), ['mark {%', 'word if', 'name a', 'mark %}', 'comment {# }} #}'])
})

test('the parts of any text follow each other without a gap, also while it is being typed', () => {
  const whole = `a {{ b['c\\'d'] | e("f") }} {% set g = -1 %} {# h #} }} { {{{ 'i`
  for (let end = 0; end <= whole.length; end++) {
    const text = whole.slice(0, end)
    const parts = templateParts(text)
    assert.equal(parts.map(({ from, to }) => text.slice(from, to)).join(''), text)
  }
})

test('a text too long to be coloured while typing is shown plain', () => {
  const text = '{{ a }}'.repeat(10_000)
  assert.deepEqual(templateParts(text), [{ kind: 'plain', from: 0, to: text.length }])
})
