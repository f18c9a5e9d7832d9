/** Inputs read side by side: bounded, ordered within each, ended together. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AfterFailure, sideBySide } from '../../../src/engine/pages/side-by-side.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

async function* numbers(count: number) {
  for (let number = 0; number < count; number++) yield number
}

test('every output arrives, those of one input in their order', async () => {
  const seen: string[] = []
  const reader = async function* (input: number) {
    for (let step = 0; step < 3; step++) {
      // Later inputs answer faster than earlier ones.
      for (let wait = input; wait < 6; wait++) await turn()
      yield `${input}.${step}`
    }
  }
  for await (const output of sideBySide(numbers(6), () => 3, reader)) seen.push(output)
  assert.equal(seen.length, 18)
  for (let input = 0; input < 6; input++) {
    const own = seen.filter((output) => output.startsWith(`${input}.`))
    assert.deepEqual(own, [`${input}.0`, `${input}.1`, `${input}.2`])
  }
  assert.notDeepEqual(seen, seen.toSorted(), 'inputs were not read side by side')
})

test('never more readers than the width, and inputs are taken only when one is free', async () => {
  let active = 0
  let most = 0
  let taken = 0
  const inputs = async function* () {
    for (; taken < 100; taken++) yield taken
  }
  const reader = async function* () {
    most = Math.max(most, ++active)
    await turn()
    yield 1
    active--
  }
  let outputs = 0
  for await (const _ of sideBySide(inputs(), () => 4, reader)) {
    outputs++
    assert.ok(taken <= outputs + 4, `${taken} inputs taken after ${outputs} outputs`)
  }
  assert.deepEqual([outputs, most], [100, 4])
})

test('a width of one is one after the other', async () => {
  const seen: string[] = []
  const reader = async function* (input: number) {
    yield `${input}a`
    yield `${input}b`
  }
  for await (const output of sideBySide(numbers(3), () => 1, reader)) seen.push(output)
  assert.deepEqual(seen, ['0a', '0b', '1a', '1b', '2a', '2b'])
})

test('a hundred thousand inputs need no queue', async () => {
  let outputs = 0
  const reader = async function* (input: number) {
    yield input
  }
  for await (const _ of sideBySide(numbers(100_000), () => 4, reader)) outputs++
  assert.equal(outputs, 100_000)
})

test('a failing reader ends the others; a failing source too', async () => {
  const ended: number[] = []
  const reader = async function* (input: number) {
    try {
      await turn()
      if (input === 1) throw new Error('slice 1 failed')
      for (;;) {
        await turn()
        yield input
      }
    } finally {
      ended.push(input)
    }
  }
  const all = async (inputs: AsyncIterable<number>) => {
    for await (const _ of sideBySide(inputs, () => 3, reader));
  }
  await assert.rejects(all(numbers(3)), /slice 1 failed/)
  assert.deepEqual(
    ended.toSorted((one, other) => one - other),
    [0, 1, 2],
  )

  const broken = async function* () {
    yield 0
    throw new Error('no more slices')
  }
  await assert.rejects(all(broken()), /no more slices/)
})

test('stopping the loop ends every reader', async () => {
  const ended: number[] = []
  const reader = async function* (input: number) {
    try {
      for (;;) yield input
    } finally {
      ended.push(input)
    }
  }
  for await (const _ of sideBySide(numbers(10), () => 2, reader)) break
  assert.ok(ended.includes(0))
})

test('the end waits until every reader has cleaned up, after what they wait for is cancelled', async () => {
  const events: string[] = []
  let cancelWait = () => {}
  const cancelled = new Promise<void>((resolve) => {
    cancelWait = resolve
  })
  const reader = async function* (input: number) {
    try {
      yield input
      if (input === 0) await turn()
      else await cancelled
      yield input
    } finally {
      await turn()
      events.push(`clean ${input}`)
    }
  }
  const cancel = () => {
    events.push('cancel')
    cancelWait()
  }
  let outputs = 0
  for await (const _ of sideBySide(numbers(2), () => 2, reader, { cancel })) if (++outputs === 3) break
  assert.deepEqual([events[0], events.slice(1).toSorted()], ['cancel', ['clean 0', 'clean 1']])
})

test('a reader that fails ends the others, or its failure is thrown after they were read', async () => {
  const reader = async function* (input: number) {
    if (input === 1 || input === 3) throw new Error(`no ${input}`)
    yield input
  }
  const read = async (afterFailure: AfterFailure = () => 'end') => {
    const seen: number[] = []
    const reading = async () => {
      for await (const output of sideBySide(numbers(6), () => 1, reader, { afterFailure })) seen.push(output)
    }
    await assert.rejects(reading, /no 1/)
    return seen
  }
  assert.deepEqual(await read(), [0])
  assert.deepEqual(await read(() => 'continue'), [0, 2, 4, 5])
})

test('inputs that fail are at their end, and what was taken of them is read', async () => {
  const inputs = async function* () {
    yield* numbers(3)
    throw new Error('no more')
  }
  const reader = async function* (input: number) {
    for (let wait = 0; wait < 5; wait++) await turn()
    yield input
  }
  const seen: number[] = []
  const reading = async () => {
    for await (const output of sideBySide(inputs(), () => 5, reader, { afterFailure: () => 'continue' }))
      seen.push(output)
  }
  await assert.rejects(reading, /no more/)
  assert.deepEqual(seen, [0, 1, 2])
})
