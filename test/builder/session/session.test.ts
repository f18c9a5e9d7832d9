import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openSession } from '../../../src/builder/session/session.ts'

const opened = (now = () => 0) => openSession('shop', { text: 'a: 1\n', version: 'v1' }, { now })

describe('the session of an editor', () => {
  test('letters typed together are undone together, and apart when time has passed', () => {
    let clock = 0
    const store = opened(() => clock)
    store.edit('a: 12\n', 'a')
    store.edit('a: 123\n', 'a')
    clock = 5000
    store.edit('a: 1234\n', 'a')
    store.undo()
    assert.equal(store.get().text, 'a: 123\n')
    store.undo()
    assert.equal(store.get().text, 'a: 1\n')
    assert.equal(store.get().canUndo, false)
    store.redo()
    assert.equal(store.get().text, 'a: 123\n')
  })

  test('a text that cannot be read leaves the form what was last readable, and says where', () => {
    const store = opened()
    store.edit('a: [1\n')
    assert.deepEqual(store.get().document.value, { a: 1 })
    assert.equal(typeof store.get().trouble?.line, 'number')
    store.undo()
    assert.equal(store.get().trouble, null)
  })

  test('follows a change by others while nothing of its own differs', () => {
    const store = opened()
    store.markForeign({ text: 'a: 2\n', version: 'v2' })
    assert.deepEqual([store.get().text, store.get().foreign], ['a: 2\n', null])
  })

  test('asks when both differ; whichever is taken, the other is not lost', () => {
    const theirs = { text: 'a: 2\n', version: 'v2' }
    const keeping = opened()
    keeping.edit('a: 3\n')
    keeping.markForeign(theirs)
    assert.deepEqual(keeping.get().foreign, theirs)
    keeping.keepOurs()
    assert.deepEqual([keeping.get().text, keeping.get().saved, keeping.get().foreign], ['a: 3\n', theirs, null])

    const taking = opened()
    taking.edit('a: 3\n')
    taking.markForeign(theirs)
    taking.takeForeign()
    assert.deepEqual([taking.get().text, taking.get().saved], ['a: 2\n', theirs])
    taking.undo()
    assert.equal(taking.get().text, 'a: 3\n')
  })

  test('the same change by both is no conflict, and a deleted connector is back once it is saved', () => {
    const store = opened()
    store.edit('a: 2\n')
    store.markForeign({ text: 'a: 2\n', version: 'v2' })
    assert.deepEqual([store.get().foreign, store.get().saved.version], [null, 'v2'])
    store.markGone()
    assert.equal(store.get().isGone, true)
    store.markSaved({ text: 'a: 2\n', version: 'v2' })
    assert.equal(store.get().isGone, false)
  })
})
