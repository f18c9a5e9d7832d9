import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileTemplate } from '../../../src/engine/template/template.ts'
import { ConnectorError } from '../../../src/std/errors.ts'
import { codeOf, table } from './evaluating.ts'

table('precedence follows Jinja, not Python', [
  ['{{ -2 ** 2 }}', '4'],
  ['{{ 2 ** 3 ** 2 }}', '64'],
  ['{{ 2 ~ 3 * 2 }}', '26'],
  ['{{ 5 / 2 | int }}', '2.5'],
  ['{{ not 1 == 2 }}', 'True'],
  ['{{ 1 < 2 < 3 }}', 'True'],
  ['{{ 1 if 0 else 2 if 0 else 3 }}', '3'],
  ['{{ 1 is odd and not 2 is odd }}', 'True'],
  ['{{ 5 is divisibleby 5 }}', 'True'],
])

table('literals', [
  ['{{ 1_0.5e-2 }}', '0.105'],
  ['{{ 0b11 + 0o17 + 0xff }}', '273'],
  ["{{ 'a' 'b' \"c\" }}", "'abc'"],
  ["{{ 'a\\x41\\n\\d' }}", "'aA\\n\\\\d'"],
  ['{{ (1,) }}', '(1,)'],
  ['{{ 1, 2 }}', '(1, 2)'],
  ["{{ {'a': {}} }}", "{'a': {}}"],
  ['{{ {1: 2, 1.0: 3} }}', '{1: 3}'],
])

table('statements', [
  ['{% if config.n %}a{% elif true %}b{% endif %}', "'b'"],
  ['{% for x in [1, 2] if x > 1 %}{{ loop.index }}{{ x }}{% else %}none{% endfor %}', '12'],
  ['{% for k, v in {"a": 1}.items() %}{{ k }}{{ v }}{% endfor %}', "'a1'"],
  ['{% set x = 1 %}{% for i in [1] %}{% set x = 2 %}{% endfor %}{{ x }}', '1'],
  ['{% set ns = namespace(t=0) %}{% for i in [1, 2] %}{% set ns.t = ns.t + i %}{% endfor %}{{ ns.t }}', '3'],
  ['{% set a, b = 1, 2 %}{{ b }}{{ a }}', '21'],
  ['{% set x | upper %}a{% endset %}{{ x }}', "'A'"],
  ['{% with a = 1, b = 2 %}{{ a + b }}{% endwith %}', '3'],
  ['{% macro f(a, b=2) %}{{ a }}-{{ b }}{% endmacro %}{{ f(1) }}', "'1-2'"],
  ['{% for x in [[1], [2]] recursive %}{{ x }}{% endfor %}', "'[1][2]'"],
  ['{% filter upper %}a{% endfilter %}', "'A'"],
])

table('text and space', [
  ['a\n', "'a'"],
  ['a\r\nb {# c #}', "'a\\nb '"],
  ['a  {{- 1 -}}  b', "'a1b'"],
  ['{% raw %}{{ x }}{% endraw %}', "'{{ x }}'"],
  ['{%+ if true +%} x{% endif %}', "' x'"],
])

test('what is not a template is refused with its place', () => {
  const refused = [
    '{{ 1 + }}',
    "{{ config['n' }}",
    "{{ 'a",
    '{{ 1..2 }}',
    '{{ f(a b) }}',
    '{{ [1 2] }}',
    '{% if %}{% endif %}',
    '{% for x in y %}',
    '{% endif %}',
    '{% nope %}',
    '{# open',
    '{% raw %}',
    "{% include 'x' %}",
    '{{ a; }}',
    '{{ [a for a in b] }}',
  ]
  for (const source of refused)
    assert.equal(
      codeOf(() => compileTemplate(source)),
      'template/syntax',
      source,
    )
})

test('an unknown filter or test is named, with the word that was probably meant', () => {
  assert.throws(
    () => compileTemplate('{{\n 1 | roundd }}', { pointer: '/x' }),
    (error: unknown) =>
      error instanceof ConnectorError &&
      error.code === 'template/unknown-function' &&
      error.at?.pointer === '/x' &&
      /at 2:6: there is no filter `roundd`; did you mean `round`/.test(error.message),
  )
  assert.equal(
    codeOf(() => compileTemplate('{{ 1 is notest }}')),
    'template/unknown-function',
  )
})

function names(source: string): string[] {
  return [...compileTemplate(source).names].toSorted()
}

test('a template knows the names it reads', () => {
  assert.deepEqual(names('{{ config.a + max(response.b, 1) }}'), ['config', 'response'])
  assert.deepEqual(names('{% set x = config %}{{ x }}{{ y }}'), ['config', 'y'])
  assert.deepEqual(names('{% for x in a %}{{ x }}{{ loop.index }}{% endfor %}'), ['a'])
  assert.deepEqual(names('{% if a %}{% set y = 1 %}{% endif %}{{ y }}'), ['a', 'y'])
  assert.deepEqual(names('{% set y = 0 %}{% if a %}{% set y = 1 %}{% endif %}{{ y }}'), ['a'])
  // A loop sees what its surroundings set, even further down.
  assert.deepEqual(names('{% for x in a %}{% if x %}{% set y = 1 %}{% endif %}{% endfor %}{% set y = 0 %}'), ['a'])
})

test('an unknown name is an error even in a branch that is not taken', () => {
  const template = compileTemplate('{{ 1 if true else last_records }}')
  assert.throws(
    () => template.evaluate({ config: {}, last_record: {} }),
    /`last_records` here; did you mean `last_record`/,
  )
  assert.throws(
    () => compileTemplate('{{ nope }}').evaluate({ config: {} }),
    /there is no `nope` here\. This place offers config\.$/,
  )
  assert.equal(
    codeOf(() => compileTemplate('stream_state').evaluate({})),
    'template/unknown-name',
  )
})

test('stream_interval and stream_partition are names of stream_slice', () => {
  assert.equal(
    compileTemplate('{{ stream_interval.a }}{{ stream_partition.a }}').evaluate({ stream_slice: { a: 1 } }),
    11,
  )
})

test('digits in a text stay a text in quotes, as JSON, and after a filter of a number', () => {
  const scope = { config: { text: '10', number: 10 } }
  const evaluated = (template: string) => compileTemplate(template).evaluate(scope)
  for (const template of ["'{{ config.text }}'", '{{ config.text | tojson }}', '{{ config.number | string }}'])
    assert.equal(evaluated(template), '10', template)
  assert.equal(evaluated('{{ config.text | string }}'), 10)
})
