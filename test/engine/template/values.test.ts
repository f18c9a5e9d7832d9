import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJson } from '../../../src/std/json.ts'
import { codeOf, python, table } from './evaluating.ts'

table('values print as Python prints them', [
  ["{{ [true, none, 1.0, 1e16, 1e-5, 0.1 + 0.2] ~ '' }}", '[True, None, 1.0, 1e+16, 1e-05, 0.30000000000000004]'],
  ['{{ ["\'", \'"\', "\\t\\\\"] ~ "" }}', "[\"'\", '\"', '\\t\\\\']"],
  ["{{ ['é😀\\u200b'] ~ '' }}", "['é😀\\u200b']"],
  ['{{ now_utc() }}', "'2026-01-02 03:04:05+00:00'"],
  ['{{ [today_utc()] }}', "'[datetime.date(2026, 1, 2)]'"],
  ["{{ {'a': (1,)}.items() }}", '"dict_items([(\'a\', (1,))])"'],
])

table('arithmetic is Python’s', [
  ['{{ 7 // -2 }}', '-4'],
  ['{{ -7 % 3 }}', '2'],
  ['{{ -7.5 % 2 }}', '0.5'],
  ['{{ 7 / 2 }}', '3.5'],
  ['{{ 4 / 2 }}', '2.0'],
  ['{{ 2 ** 64 }}', '18446744073709551616'],
  ['{{ 9007199254740993 / 3 }}', '3002399751580331.0'],
  ['{{ 2 ** -1 }}', '0.5'],
  ['{{ true + true }}', '2'],
  ["{{ 'ab' * 2 }}", "'abab'"],
  ['{{ [1] + [2] * 2 }}', '[1, 2, 2]'],
  ["{{ '%05.1f|%s' % (3.14159, none) }}", "'003.1|None'"],
  ['{{ 1 == 1.0 == true }}', 'True'],
  ["{{ [1, 'a'] < [1, 'b'] }}", 'True'],
])

table(
  'a number with more digits than a float is the nearest float',
  [
    ['{{ config.n }}', '0.12345678901234568'],
    ["{{ config.n ~ ' ' ~ config.large }}", "'0.12345678901234568 1.2345678901234568e+16'"],
    ['{{ [config.n, config.one] }}', '[0.12345678901234568, 1.0]'],
    ['{{ config.n * 2 }}', '0.24691357802469135'],
    ['{{ -config.n }}', '-0.12345678901234568'],
    ['{{ config.large | int }}', '12345678901234568'],
    ['{{ config.n | round(3) }}', '0.123'],
    ["{{ (config.n ~ '') | length }}", '19'],
    ["{{ {'n': config.n} | tojson }}", "{'n': 0.12345678901234568}"],
    ["{{ '%.3f %s' % (config.n, config.one) }}", "'0.123 1.0'"],
    ["{{ '{:.2f}'.format(config.n) }}", '0.12'],
    ['{{ config.n == 0.12345678901234568 and config.one == 1 }}', 'True'],
    ['{{ config.n < config.one < config.large }}', 'True'],
    ['{{ config.n in [0.12345678901234568] }}', 'True'],
    ['{{ {0.12345678901234568: 5}[config.n] }}', '5'],
    ['{{ [config.large, config.n] | sort | first }}', '0.12345678901234568'],
    ['{{ [config.large, config.n] | min + 1 }}', '1.1234567890123457'],
    ['{{ config.n is number and config.n is float and config.n is not integer and config.n is not mapping }}', 'True'],
    ['{{ [config.n.is_integer(), config.one.is_integer()] }}', '[False, True]'],
    ["{{ 'yes' if config.n else 'no' }}{{ 'yes' if config.tiny else 'no' }}", "'yesno'"],
    ['{{ config.huge }}', "'inf'"],
  ],
  {
    config: parseJson(
      `{"n":0.12345678901234567891,"one":1.00000000000000000001,"large":12345678901234567.89,
        "tiny":0.${'0'.repeat(400)}1,"huge":${'9'.repeat(400)}.5}`,
    ).value,
  },
)

table('indexes and slices', [
  ["{{ 'abc'[-1] }}", "'c'"],
  ["{{ '😀a'[1] }}", "'a'"],
  ["{{ 'abcdef'[4:0:-2] }}", "'ec'"],
  ['{{ [1, 2, 3][-2:] }}', '[2, 3]'],
  ["{{ {'items': 1}['items'] }}", '1'],
  ["{{ {'a': none}.get('a', 5) }}", 'None'],
  ['{{ [1][5] }}', "''"],
])

table('methods', [
  ["{{ 'a,b,c'.rsplit(',', 1) }}", "['a,b', 'c']"],
  ["{{ ' a  b '.split() }}", "['a', 'b']"],
  ["{{ 'hello wORLD'.title() }}", "'Hello World'"],
  ["{{ '{0[a]:>4}|{x!r}'.format({'a': 1}, x='y') }}", '"   1|\'y\'"'],
  ["{{ 'x'.center(4, '*') }}", "'*x**'"],
  ["{{ 'straße'.upper() }}", "'STRASSE'"],
  ['{% set l = [2, 1] %}{% set _ = l.append(0) %}{{ l.sort() }}{{ l }}', "'None[0, 1, 2]'"],
  ["{% set d = {} %}{% set _ = d.update({'a': 1}) %}{{ d }}", "{'a': 1}"],
])

table('filters', [
  ["{{ ['b', 'A'] | sort }}", "['A', 'b']"],
  ["{{ [{'a': 1}, {}] | map(attribute='a', default=0) | list }}", '[1, 0]'],
  ["{{ [{'a': 1}, {'a': 2}] | selectattr('a', 'gt', 1) | list }}", "[{'a': 2}]"],
  ["{{ [3, 1] | map('string') | join('-') }}", '\'"""3"""-"""1"""\''],
  ["{{ {'b': [1.0, none, '<']} | tojson ~ ' ' }}", '\'{"b": [1.0, null, "\\\\u003c"]} \''],
  ['{{ 2.5 | round }}', '2.0'],
  ['{{ 2.675 | round(2) }}', '2.67'],
  ["{{ 'a b/c' | urlencode }}", "'a%20b/c'"],
  ["{{ '12abc' | regex_search('(\\d+)') }}", '12'],
  ["{{ 'ab' | regex_replace('(a)(?P<x>b)', '\\\\g<x>\\\\1') }}", "'ba'"],
  ["{{ 'abc' | hash('sha256', 's') | length }}", '64'],
  ["{{ 'é' | base64encode | base64decode }}", "'é'"],
  ["{{ 'a' | hmac('k') | length }}", '64'],
  ['{{ [1, 2, 3] | batch(2) | list }}', '[[1, 2], [3]]'],
  ["{{ [{'k': 1, 'v': 2}] | groupby('k') }}", "[(1, [{'k': 1, 'v': 2}])]"],
  ['{{ 1000000 | filesizeformat }}', "'1.0 MB'"],
])

test('an error names the template, the place and the value met', () => {
  assert.throws(
    () => python("{{ config.n + 'a' }}", { config: { n: 5 } }),
    /"\{\{ config\.n \+ 'a' \}\}" at 1:13: `\+` cannot join int 5 and str "a"/,
  )
  assert.throws(
    () => python('{{ config.a.b }}', { config: { x: 'y'.repeat(5000) } }),
    (error: Error) => error.message.length < 300,
  )
})

test('errors have the code of their cause', () => {
  const codes: readonly (readonly [string, string])[] = [
    ["{{ 'a' + 1 }}", 'template/wrong-type'],
    ['{{ 1 < none }}', 'template/wrong-type'],
    ['{{ config.a.b }}', 'template/undefined'],
    ['{{ 1 / 0 }}', 'template/failed'],
    ["{{ 'x'.index('y') }}", 'template/failed'],
    ['{{ config.__class__.x }}', 'template/forbidden'],
    ["{{ 'a' * 10 ** 9 }}", 'template/too-much-work'],
  ]
  for (const [template, code] of codes)
    assert.equal(
      codeOf(() => python(template)),
      code,
      template,
    )
})
