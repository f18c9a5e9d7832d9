import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileTemplate } from '../../../src/engine/template/template.ts'
import { codeOf } from './evaluating.ts'

const list = Array.from({ length: 1000 }, (_, index) => index)
const scope = () => ({ config: { list: [1, 2], many: list, text: 'a'.repeat(1000), own: { a: 1 } }, parameters: {} })

test('nothing of JavaScript is within reach', () => {
  const payloads = [
    '{{ config.constructor }}',
    "{{ config['constructor'] }}",
    "{{ config.get('constructor', '') }}",
    '{{ config.__proto__ }}',
    "{{ config['__proto__'] }}",
    '{{ config.toString }}',
    '{{ config.hasOwnProperty }}',
    '{{ config.list.constructor }}',
    '{{ config.list.map }}',
    "{{ 'a'.constructor }}",
    "{{ 'a'.length }}",
    '{{ now_utc.constructor }}',
    '{{ now_utc.body }}',
    '{{ now_utc().days }}',
    '{{ now_utc().clock }}',
    "{{ config | attr('constructor') }}",
    "{{ [config] | map(attribute='constructor') | first }}",
    "{{ '{0.constructor}'.format(config) }}",
    '{{ cycler(1).entries }}',
    '{{ namespace(a=1).entries }}',
    '{{ config.__class__ }}',
    '{{ config.get.__self__ }}',
    "{{ config['__class__'] }}",
  ]
  for (const payload of payloads) assert.equal(compileTemplate(payload).evaluate(scope()), '', payload)
})

test('what leads to the program is refused', () => {
  const payloads = [
    "{{ config.constructor.constructor('return 1')() }}",
    "{{ now_utc.constructor('return 1')() }}",
    "{{ ''.__class__.__mro__ }}",
    '{{ config.__class__.__init__.__globals__ }}',
    '{{ config.list.constructor.prototype.push(1) }}',
    '{{ cycler.__init__.__globals__.os }}',
    "{{ '{0.__class__.__init__}'.format(config) }}",
  ]
  for (const payload of payloads) {
    const code = codeOf(() => compileTemplate(payload).evaluate(scope()))
    assert.ok(code === 'template/forbidden' || code === 'template/undefined', `${payload}: ${code}`)
  }
})

test('a template changes copies, never what the caller handed in', () => {
  const given = scope()
  const changes: readonly (readonly [string, unknown])[] = [
    ['{{ config.list.append(3) }}{{ config.list }}', 'None[1, 2, 3]'],
    ["{{ config.update({'z': 1}) }}{{ config.z }}", 'None1'],
    ["{{ config.own.pop('a') }}{{ config.own }}", '1{}'],
    ['{{ config.list.clear() }}{{ config.list | length }}', 'None0'],
    ["{{ config.own.update({'__proto__': 1}) }}", null],
  ]
  for (const [template, value] of changes) assert.deepEqual(compileTemplate(template).evaluate(given), value, template)
  assert.deepEqual(given, scope())
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
  // A change that was not foreseen when the template was compiled is refused.
  const dynamic = compileTemplate("{{ config.list['app' ~ 'end'](1) }}")
  assert.equal(
    codeOf(() => dynamic.evaluate(given)),
    'template/forbidden',
  )
})

test('a key named __proto__ is a key like any other', () => {
  const value = compileTemplate("{{ {'__proto__': {'polluted': true}} }}").evaluate({})
  assert.equal(JSON.stringify(value), '{"__proto__":{"polluted":true}}')
})

/** A variable that grows with every one of sixty steps. */
function doubled(start: string, step: string): string {
  return `{% set a = ${start} %}${`{% set a = ${step} %}`.repeat(60)}`
}

test('bombs end early and say so', () => {
  const bombs = [
    '{% for a in config.many %}{% for b in config.many %}{% for c in config.many %}x{% endfor %}{% endfor %}{% endfor %}',
    '{% for a in config.many %}{% for b in config.many %}{{ config.text }}{% endfor %}{% endfor %}',
    `${doubled("'a'", 'a + a')}{{ a }}`,
    `${doubled('[1]', 'a + a')}{{ a }}`,
    `${doubled('[1]', '[a, a]')}{{ a }}`,
    `${doubled('[1]', '[a, a]')}{{ a | tojson }}`,
    `${doubled('[1]', '[a, a]')}{{ a | pprint }}`,
    `${doubled('10 ** 4000', 'a * a')}{{ a }}`,
    "{{ 'a' * 10 ** 9 }}",
    '{{ [1] * 10 ** 9 }}',
    '{{ 2 ** (10 ** 9) }}',
    "{{ config.text | replace('', config.text) | replace('', config.text) }}",
    '{{ (config.text * 1000) | join(config.text * 100) }}',
    "{{ '{:999999999}'.format(1) }}",
    "{{ '%999999999d' % 1 }}",
    "{{ 'a'.center(999999999) }}",
    '{{ lipsum(999999999) }}',
    '{{ config.many | batch(999999999, 0) | list }}',
    '{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}',
    '{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}',
    '{% set a = [] %}{% set _ = a.append(a) %}{{ a }}',
    `{{ ${'['.repeat(20_000)}${']'.repeat(20_000)} }}`,
    `{{ 1${'+1'.repeat(20_000)} }}`,
    `{{ ${'not '.repeat(20_000)}1 }}`,
    `{{ config${'.x'.repeat(20_000)} }}`,
    `{{ 1${'|int'.repeat(20_000)} }}`,
    'a'.repeat(100_001),
  ]
  for (const bomb of bombs) {
    assert.equal(
      codeOf(() => compileTemplate(bomb).evaluate(scope())),
      'template/too-much-work',
      bomb.slice(0, 80),
    )
  }
})

test('no pattern takes more than linear time', () => {
  assert.equal(compileTemplate("{{ ('a' * 5000) | regex_search('(a+)+$b') }}").evaluate(scope()), '')
  assert.equal(
    codeOf(() => compileTemplate("{{ 'a' | regex_search('(?=a)') }}").evaluate({})),
    'template/failed',
  )
})

test('only what the template names is read', () => {
  const touched: string[] = []
  const page: Record<string, unknown> = { meta: { next: 'abc' }, data: list }
  const response = new Proxy(page, {
    get: (target, key) => {
      touched.push(String(key))
      return target[String(key)]
    },
  })
  const lazy = {
    response,
    get config(): never {
      throw new Error('touched config')
    },
  }
  assert.equal(compileTemplate('{{ response.meta.next }}').evaluate(lazy), 'abc')
  assert.deepEqual(
    touched.filter((key) => key === 'data'),
    [],
  )
})

test('evaluations know nothing of each other', () => {
  const template = compileTemplate(
    '{% set x = (x if x is defined else 0) + 1 %}{{ x }}{% set c = cycler(1, 2) %}{{ c.next() }}',
  )
  assert.equal(template.evaluate({ x: 1 }), 21)
  assert.equal(template.evaluate({ x: 1 }), 21)
})
