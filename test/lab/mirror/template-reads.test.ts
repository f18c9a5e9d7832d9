import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readsOf } from '../../../src/lab/mirror/template-reads.ts'

function pathsIn(template: string, root: string): string[] {
  const { reads } = readsOf(template, { parameters: { cursor: 'updated' } })
  const paths = reads.filter((read) => read.root === root && read.path.length > 0).map(({ path }) => path.join('.'))
  return [...new Set(paths)]
}

const rows: [string, string, string, string[]][] = [
  ['attributes and items lead on', '{{ response.meta["next"] }}', 'response', ['meta', 'meta.next']],
  ['`get` is an item', "{{ response.get('a', {}).get('b') }}", 'response', ['a', 'a.b']],
  ['an alternative does not break the path', "{{ (response.get('a') or {}).get('b') }}", 'response', ['a', 'a.b']],
  [
    'places in lists count from either end',
    '{{ response.rows[-1].id }}',
    'response',
    ['rows', 'rows.-1', 'rows.-1.id'],
  ],
  ['membership asks for the member', "{{ 'next' not in response.links }}", 'response', ['links', 'links.next']],
  ['a part of a text is no member', "{{ 'a=' in response.link }}", 'response', ['link']],
  [
    'a variable has the value it was set to',
    '{% set p = response.page %}{{ p.next }}',
    'response',
    ['page', 'page.next'],
  ],
  [
    'a loop variable is an item',
    '{% for x in record.tags %}{{ x.id }}{% endfor %}',
    'record',
    ['tags', 'tags.0.id', 'tags.0'],
  ],
  ['`map` reads of each item', "{{ record.a | map(attribute='b') | list }}", 'record', ['a', 'a.0.b']],
  ['a key may be looked up', '{{ record[parameters.cursor] }}', 'record', ['updated']],
  ['methods of strings are no members', "{{ record.name.split('-')[0] }}", 'record', ['name']],
  ['what cannot be parsed reads nothing', '{{ response. }}', 'response', []],
]

for (const [name, template, root, paths] of rows) {
  test(`reads: ${name}`, () => {
    assert.deepEqual(pathsIn(template, root).toSorted(), paths.toSorted())
  })
}
