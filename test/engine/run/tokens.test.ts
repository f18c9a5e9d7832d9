/** What reads share: tokens by name, secrets in every redactor, work that is waited for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authIdentity, createKeeper, type KeptToken } from '../../../src/engine/auth/keep-token.ts'
import { createRedactor } from '../../../src/engine/secrets/redact.ts'
import { changedConfig, openTokens } from '../../../src/engine/run/tokens.ts'
import { compileTemplate } from '../../../src/engine/template/template.ts'
import { followPath } from '../../../src/std/values/get-at.ts'

test('every redactor learns every secret, whichever came first', () => {
  const tokens = openTokens()
  const [early, late] = [createRedactor([]), createRedactor([])]
  tokens.attach(early)
  tokens.hide('at-secret')
  tokens.attach(late)
  for (const redactor of [early, late]) assert.equal(redactor.text('got at-secret'), 'got ****')
})

test('secrets that serve one request make room for later ones; others stay', () => {
  const tokens = openTokens()
  const redactor = createRedactor([])
  tokens.attach(redactor)
  tokens.hide('long-lived')
  for (let index = 1000; index < 1065; index++) tokens.hideShortly(`passing-${index}`)
  tokens.hideShortly('long-lived')
  assert.equal(redactor.isSecret('passing-1000'), false)
  assert.equal(redactor.isSecret('passing-1001'), true)
  assert.equal(redactor.isSecret('passing-1064'), true)
  assert.equal(redactor.isSecret('long-lived'), true)
})

test('closing waits for tokens on their way, and makes those that only wait give up', async () => {
  const tokens = openTokens()
  let arrive = () => {}
  const work = tokens.underWay(new Promise<void>((resolve) => (arrive = resolve)))
  let isClosed = false
  const closed = tokens.close().then(() => (isClosed = true))
  assert.equal(tokens.closing.aborted, true)
  await Promise.resolve()
  assert.equal(isClosed, false)
  arrive()
  await Promise.all([work, closed])
})

test('a fetch that failed is repeated by the next caller; all that waited see the failure', async () => {
  const keeper = createKeeper(null, () => 0)
  const { signal } = new AbortController()
  let fetches = 0
  const fetch = async (): Promise<KeptToken> => {
    if (++fetches === 1) throw new Error('down')
    return { value: 'good', obtainedAt: 0, renewAt: 10 }
  }
  const waiting = [keeper.value(fetch, signal), keeper.value(fetch, signal)]
  for (const each of waiting) await assert.rejects(Promise.resolve(each), /down/)
  assert.equal(await keeper.value(fetch, signal), 'good')
  assert.equal(keeper.value(fetch, signal), 'good')
  assert.equal(fetches, 2)
})

test('a token that lives for no time at all still serves those who waited for it', async () => {
  const keeper = createKeeper(null, () => 5)
  const { signal } = new AbortController()
  let fetches = 0
  const fetch = async (): Promise<KeptToken> => ({ value: `t${++fetches}`, obtainedAt: 5, renewAt: 5 })
  assert.deepEqual(await Promise.all([keeper.value(fetch, signal), keeper.value(fetch, signal)]), ['t1', 't1'])
  assert.equal(await keeper.value(fetch, signal), 't2')
  assert.deepEqual(['t1', 't2', 't3'].map(keeper.isKnown), [true, true, false])
})

test('requests that were refused together cause one renewal', async () => {
  let now = 0
  const keeper = createKeeper({ value: 'old', obtainedAt: 0, renewAt: 1e9 }, () => now)
  const { signal } = new AbortController()
  let fetches = 0
  const fetch = async (): Promise<KeptToken> => ({ value: `new${++fetches}`, obtainedAt: now, renewAt: 1e9 })
  now = 100_000
  const renewals = Array.from({ length: 9 }, () => keeper.renew(fetch, 'old', signal))
  assert.ok((await Promise.all(renewals)).every(Boolean))
  // One that comes late: the token it means is gone already.
  assert.equal(await keeper.renew(fetch, 'old', signal), true)
  assert.equal(fetches, 1)
  assert.equal(await keeper.renew(fetch, 'new1', signal), false)
  // A rule of the manifest that asks for it gets one sooner.
  now += 5_000
  assert.equal(await keeper.renew(fetch, null, signal), true)
  assert.equal(fetches, 2)
})

test('two plans are the same when they mean the same, wherever they are', () => {
  const plan = (source: string, name: string, line: number) => ({
    token: compileTemplate(source),
    parameters: { name },
    at: { pointer: '', line },
  })
  assert.equal(authIdentity(plan('{{ config.a }}', 'x', 1)), authIdentity(plan('{{ config.a }}', 'y', 2)))
  assert.notEqual(
    authIdentity(plan('{{ parameters.name }}', 'x', 1)),
    authIdentity(plan('{{ parameters.name }}', 'y', 1)),
  )
})

test('values of the config are replaced in a copy, and whatever is missing on the way is added', () => {
  const config = { a: { b: 1, list: [{ c: 1 }] }, text: 'x' }
  const changes = [
    { path: ['a', 'b'], value: 'new' },
    { path: ['a', 'list', '0', 'c'], value: 'in a list' },
    { path: ['deep', 'er'], value: 'added' },
    { path: ['text', 'under'], value: 'instead' },
    { path: ['__proto__', 'polluted'], value: 'no' },
  ]
  const changed = changedConfig(config, changes)
  assert.deepEqual(JSON.parse(JSON.stringify(changed)), {
    a: { b: 'new', list: [{ c: 'in a list' }] },
    deep: { er: 'added' },
    text: { under: 'instead' },
    ...JSON.parse('{"__proto__": {"polluted": "no"}}'),
  })
  assert.equal(({} as { polluted?: string }).polluted, undefined)
  assert.equal(followPath(changed, ['deep', 'er']), 'added')
  assert.equal(followPath(config, ['a', 'toString']), undefined)
  assert.deepEqual(config, { a: { b: 1, list: [{ c: 1 }] }, text: 'x' })
})
