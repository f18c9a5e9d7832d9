import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addConfig,
  changeUsed,
  chooseConfig,
  configNameFault,
  duplicateConfig,
  isChanged,
  markKept,
  removeConfig,
  renameConfig,
  startConfigs,
  type TabConfigs,
  takeKept,
  usedConfig,
} from '../../../src/builder/session/tab-configs.ts'

const names = ({ configs }: TabConfigs) => configs.map(({ name }) => name)
const kept = (name: string, values = {}, version = '1') => ({ name, version, values, origins: ['https://a.test'] })

test('configs are added, changed, copied, renamed and removed, and one is always there', () => {
  const added = changeUsed(addConfig(startConfigs, 'sandbox'), { inputs: { key: 'a' } })
  assert.deepEqual([names(added), usedConfig(added).inputs], [['default', 'sandbox'], { key: 'a' }])
  const copied = duplicateConfig(added)
  assert.deepEqual([copied.used, usedConfig(copied).inputs], ['sandbox copy', { key: 'a' }])
  assert.equal(duplicateConfig(chooseConfig(copied, 'sandbox')).used, 'sandbox copy 2')
  const renamed = renameConfig(copied, 'production')
  assert.deepEqual([renamed.used, names(renamed)], ['production', ['default', 'sandbox', 'production']])
  assert.equal(configNameFault(renamed, 'sandbox'), 'Another test config has this name.')
  assert.notEqual(configNameFault(renamed, '../x'), null)
  assert.equal(configNameFault(renamed, 'new one'), null)
  const gone = names(renamed).reduce(removeConfig, renamed)
  assert.deepEqual([names(gone), usedConfig(gone).inputs], [['default'], {}])
})

test('a fresh tab continues with what is kept', () => {
  const taken = takeKept(startConfigs, [kept('sandbox', { key: '${stored:shop/sandbox/key}' })])
  assert.deepEqual([names(taken), taken.used], [['sandbox'], 'sandbox'])
  assert.deepEqual(names(takeKept(startConfigs, [])), ['default'])
})

test('what the server has comes in, and what was changed here stays', () => {
  const typed = changeUsed(startConfigs, { inputs: { key: 'typed' } })
  const both = takeKept(typed, [kept('sandbox', { key: 'x' }), kept('live', { key: 'y' })])
  assert.deepEqual([names(both), both.used], [['default', 'sandbox', 'live'], 'default'])

  const changed = changeUsed(chooseConfig(both, 'sandbox'), { inputs: { key: 'changed' } })
  assert.ok(isChanged(usedConfig(changed)))
  const later = takeKept(changed, [kept('sandbox', { key: 'elsewhere' }, '2'), kept('live', { key: 'z' }, '2')])
  assert.equal(usedConfig(later).inputs.key, 'changed')
  assert.equal(usedConfig(later).kept?.version, '1')
  assert.equal(usedConfig(chooseConfig(later, 'live')).inputs.key, 'z')

  // Deleted elsewhere: what was changed here is in this tab only now.
  const deleted = takeKept(later, [])
  assert.deepEqual(names(deleted), ['default', 'sandbox'])
  assert.equal(usedConfig(deleted).kept, null)
  assert.ok(!isChanged(usedConfig(markKept(later, kept('sandbox', { key: 'changed' }, '3')))))
})
