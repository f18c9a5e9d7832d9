import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJson } from '../../src/std/json.ts'
import { statesIn } from '../../src/protocol/state-input.ts'

const blob = (name: string, at: string) => ({
  type: 'STREAM',
  stream: { stream_descriptor: { name }, stream_state: { at } },
})

const shown = (name: string, at: string) => ({ streamDescriptor: { name }, streamState: { at } })

const shapes: [string, unknown, [string, object][]][] = [
  ['nothing', [], []],
  ['an empty object', {}, []],
  [
    'a list of blobs',
    [blob('a', '1'), blob('b', '2')],
    [
      ['a', { at: '1' }],
      ['b', { at: '2' }],
    ],
  ],
  ['a single blob', blob('a', '1'), [['a', { at: '1' }]]],
  ['the later of two', [blob('a', '1'), blob('a', '2')], [['a', { at: '2' }]]],
  [
    'messages among others',
    [
      { type: 'LOG', log: {} },
      { type: 'STATE', state: blob('a', '1') },
      { type: 'RECORD', record: {} },
    ],
    [['a', { at: '1' }]],
  ],
  ['a global state', [{ type: 'GLOBAL', global: { stream_states: [blob('a', '1').stream] } }], [['a', { at: '1' }]]],
  [
    'a stream without state',
    [{ type: 'STREAM', stream: { stream_descriptor: { name: 'a' }, stream_state: null } }],
    [['a', {}]],
  ],
  [
    'the older object',
    { a: { at: '1' }, b: {} },
    [
      ['a', { at: '1' }],
      ['b', {}],
    ],
  ],
  ['the older object in its envelope', [{ type: 'LEGACY', data: { a: { at: '1' } } }], [['a', { at: '1' }]]],
  ['what the settings of a connection show', [shown('a', '1')], [['a', { at: '1' }]]],
  [
    'what the API of the platform gives',
    { stateType: 'stream', connectionId: 'c', streamState: [shown('a', '1'), shown('b', '2')] },
    [
      ['a', { at: '1' }],
      ['b', { at: '2' }],
    ],
  ],
  [
    'a global state from there',
    { stateType: 'global', connectionId: 'c', globalState: { sharedState: {}, streamStates: [shown('a', '1')] } },
    [['a', { at: '1' }]],
  ],
  [
    'an older one from there',
    { stateType: 'legacy', connectionId: 'c', state: { a: { at: '1' } } },
    [['a', { at: '1' }]],
  ],
  ['none yet', { stateType: 'not_set', connectionId: 'c' }, []],
]
for (const [name, value, expected] of shapes) {
  test(`state: ${name}`, () => assert.deepEqual([...statesIn(value)], expected))
}

test('what is no state is refused', () => {
  for (const value of ['text', 3, null, [1], { a: 1 }, [{ type: 'STREAM', stream: {} }]]) {
    assert.throws(() => statesIn(value), { code: 'slices/invalid-state' })
  }
  for (const number of [1, parseJson('1.0').value])
    assert.throws(() => statesIn(number), /A state is an object, not `1/)
})

test('a stream state that is no object is refused, not taken for none', () => {
  const state = (stream_state: unknown) => [
    { type: 'STREAM', stream: { stream_descriptor: { name: 'orders' }, stream_state } },
  ]
  for (const wrong of [[], 'x', 5, true]) {
    assert.throws(() => statesIn(state(wrong)), /The state of "orders" is not an object/)
  }
  for (const none of [undefined, null]) assert.deepEqual(statesIn(state(none)), new Map([['orders', {}]]))
})
