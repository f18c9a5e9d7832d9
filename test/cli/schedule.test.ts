import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import type { ListedSchedule } from '../../src/schedules/list-schedules.ts'
import { type Handler, serveApi } from '../helpers/serve-api.ts'
import { runCli, said, startCli } from './run-cli.ts'
import { idsIn, manifestOf, orders, ordersFrom, stream, tempFolder } from './shop.ts'

const ids = orders.map(({ id }) => id)
const secret = 's3cr3t-of-the-shop'

/** A home with a connection that writes to the folder `out`. */
async function shop(handler: Handler = (query) => ordersFrom(query)) {
  const hooks: Record<string, unknown>[] = []
  let ring = () => {}
  const api = await serveApi({
    'GET /orders': handler,
    'POST /hook': (_, { body }) => {
      hooks.push(JSON.parse(body) as Record<string, unknown>)
      ring()
      return { status: 204 }
    },
  })
  const files = await tempFolder()
  const requester = { request_headers: { 'x-key': "{{ config['api_key'] }}" } }
  await files.write('connectors/shop/manifest.json', manifestOf([stream(api.url, { name: 'orders', requester })]))
  const file = await files.write(
    'connections/shop/connection.yaml',
    '# Ours.\nconnector: shop\nconfig:\n  api_key: ${SHOP_KEY}\ndestination: jsonl:../../out\nprefetch: off\n',
  )
  const given = { cwd: files.folder, env: { SHOP_KEY: secret } }
  const cli = (...args: readonly string[]) => runCli(args, given)
  return {
    api,
    hooks,
    file,
    cli,
    given,
    out: join(files.folder, 'out'),
    write: (name: string, content: unknown) => files.write(name, content),
    serve: () => startCli(['serve', '--no-read', '--site-port', '0', '--api-port', '0', '--lab-port', '0'], given),
    async listed(): Promise<ListedSchedule> {
      const { stdout } = await cli('schedule', 'list', '--json')
      return JSON.parse(stdout.split('\n')[0] ?? '') as ListedSchedule
    },
    /** Waits until that many results came. */
    async hooked(count: number) {
      while (hooks.length < count) {
        await new Promise<void>((resolve) => {
          ring = resolve
        })
      }
      return hooks
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]()
      await files[Symbol.asyncDispose]()
    },
  }
}

describe('turnleaf schedule', { concurrency: 4 }, () => {
  test('add, pause, resume and remove edit the file of the connection; list shows the next time', async () => {
    await using own = await shop()
    const before = await readFile(own.file, 'utf8')
    const added = await own.cli('schedule', 'add', 'shop', '--cron', '30 6 * * 1-5', '--timezone', 'Europe/Berlin')
    assert.equal(added.code, 0, added.stderr)
    assert.match(added.stderr, /^The schedule is in connections\/shop\/connection\.yaml\. Next run: \d{4}-.* UTC\.\n/)
    const schedule = 'schedule:\n  cron: 30 6 * * 1-5\n  timezone: Europe/Berlin\n'
    assert.equal(await readFile(own.file, 'utf8'), before + schedule)
    assert.match(
      (await own.cli('schedule', 'list')).stdout,
      /^connection +when +next +last +exit +ended +error\nshop +30 6 \* \* 1-5 Europe\/Berlin +\d{4}-\S+ \S+ UTC +- +- +-\n$/,
    )
    assert.equal((await own.cli('schedule', 'pause', 'shop')).code, 0)
    assert.deepEqual([(await own.listed()).isPaused, (await own.listed()).nextAt], [true, null])
    assert.match((await own.cli('schedule', 'resume', 'shop')).stderr, /^Resumed\. Next run: \d{4}-/)
    assert.equal(await readFile(own.file, 'utf8'), before + schedule)
    const replaced = await own.cli('schedule', 'add', './connections/shop', '--every', '2h', '--json')
    assert.deepEqual((JSON.parse(replaced.stdout) as ListedSchedule).every, '2h')
    assert.match(replaced.stderr, /Next run: now\./)
    assert.equal((await own.cli('schedule', 'remove', 'shop')).code, 0)
    assert.equal(await readFile(own.file, 'utf8'), before)
    assert.match((await own.cli('schedule', 'list')).stderr, /^There are no schedules yet/)
  })

  test('run syncs now; the result is that of the schedule, and the webhook gets it', async () => {
    await using own = await shop()
    await own.cli('schedule', 'add', 'shop', '--every', '1h', '--webhook', `${own.api.url}/hook`)
    const ran = await own.cli('schedule', 'run', 'shop')
    assert.equal(ran.code, 0, ran.stderr)
    assert.deepEqual(await idsIn(own.out, 'orders'), ids)
    const listed = await own.listed()
    assert.deepEqual([listed.last?.status, listed.last?.exitStatus, listed.last?.error], ['complete', 0, null])
    assert.equal(listed.webhook, `${own.api.url}/…`)
    const [hook] = await own.hooked(1)
    assert.deepEqual([hook?.connection, hook?.status, hook?.run], ['shop', 'complete', listed.last?.run])
    assert.match(JSON.stringify(hook?.receipts), /"records":5,/)
    assert.ok(!JSON.stringify(own.hooks).includes(secret))
    const state = join(own.given.cwd, 'connections/.schedules/shop.json')
    assert.ok(existsSync(state))
    await own.cli('connection', 'remove', 'shop')
    assert.ok(!existsSync(state))
  })

  test('wrong input is refused with an example or a near word, and changes nothing', async () => {
    await using own = await shop()
    await own.write('elsewhere/shop/connection.yaml', 'connector: shop\n')
    const before = await readFile(own.file, 'utf8')
    const cases: [args: readonly string[], says: RegExp][] = [
      [['add', 'shop', '--every', '0s'], /^schedules\/every: .*`0s`.*\n {2}try {2}.*30s, 15m, 1h/],
      [['add', 'shop', '--cron', '0 * * *'], /^schedules\/cron: .*4 of 5 parts.*\n {2}try {2}.*`0 \* \* \* \*`/],
      [
        ['add', 'shop', '--cron', '@daily', '--timezone', 'Europe/Berln'],
        /^schedules\/timezone: .*\n.*Europe\/Berlin\?/,
      ],
      [['add', 'shop', '--every', '1h', '--cron', '@daily'], /^cli\/arguments: .*'--every <time>' cannot be used/],
      [
        ['add', 'shop'],
        /^cli\/arguments: --every or --cron is required\.\n {2}try {2}npx turnleaf schedule add shop --every 1h\n$/,
      ],
      [['add', 'shpo', '--every', '1h'], /^connections\/not-found: .*\n {2}try {2}Did you mean shop\?/],
      [['add', './elsewhere/shop', '--every', '1h'], /^schedules\/outside: /],
      [['pause', 'shop'], /^schedules\/none: The connection "shop" has no schedule/],
      [['run', 'shop'], /^schedules\/none: /],
      [['remove', 'shop'], /^schedules\/none: /],
    ]
    for (const [args, says] of cases) {
      const ran = await own.cli('schedule', ...args)
      assert.equal(ran.code, 2, `${args.join(' ')}: ${ran.stderr}`)
      assert.match(ran.stderr, says)
    }
    assert.equal(await readFile(own.file, 'utf8'), before)
  })
})

describe('turnleaf serve with schedules', { concurrency: 2 }, () => {
  test('runs them, reports a failure, and stops as a sync does', async () => {
    let answer: 'orders' | 'fail' = 'orders'
    let reached = () => {}
    const isReached = new Promise<void>((resolve) => {
      reached = resolve
    })
    await using own = await shop((query, { headers }) => {
      if (answer === 'fail') return { status: 401, json: { message: `no ${secret}` } }
      if (headers['x-key'] !== 'by-hand' || query.get('offset') !== '4') return ordersFrom(query)
      reached()
      return { raw: () => {} }
    })
    await own.cli('schedule', 'add', 'shop', '--every', '1s', '--webhook', `${own.api.url}/hook`)
    await using served = own.serve()
    const { child, ended } = served
    const log = text(child.stderr)
    await own.hooked(2)
    assert.deepEqual(
      own.hooks.slice(0, 2).map(({ status }) => status),
      ['complete', 'complete'],
    )

    // A sync that is started by hand while the API does not answer: the destination is busy.
    await own.cli('schedule', 'pause', 'shop')
    const syncByHand = () => startCli(['sync', 'shop'], { ...own.given, env: { SHOP_KEY: 'by-hand' } })
    await using byHand = {
      sync: syncByHand(),
      async [Symbol.asyncDispose]() {
        await this.sync[Symbol.asyncDispose]()
      },
    }
    // A scheduled run that was under way comes to its end first.
    while ((await Promise.race([isReached, byHand.sync.ended])) !== undefined) byHand.sync = syncByHand()
    await own.cli('schedule', 'resume', 'shop')
    while (own.hooks.at(-1)?.status !== 'busy') await own.hooked(own.hooks.length + 1)
    assert.equal((await own.listed()).failures, 0)
    byHand.sync.child.kill('SIGINT')
    await byHand.sync.ended
    answer = 'fail'
    while (own.hooks.at(-1)?.status !== 'failed') await own.hooked(own.hooks.length + 1)
    const listed = await own.listed()
    assert.deepEqual([listed.last?.status, listed.last?.exitStatus, listed.failures], ['failed', 1, 1])
    assert.match(String(listed.last?.error?.message), /401/)
    const waits = Date.parse(listed.nextAt ?? '') - Date.parse(listed.last?.endedAt ?? '')
    assert.equal(waits, 60_000)

    child.kill('SIGTERM')
    assert.equal(await ended, 'SIGTERM')
    assert.match(await log, /^Running 1 schedule; /m)
    assert.match(await log, /^\S+Z schedule shop: started\.$/m)
    assert.match(await log, /^\S+Z schedule shop: complete, 5 records of 1 stream after .* s\.$/m)
    assert.match(await log, /^\S+Z schedule shop: busy \(exit status 1\) after .* destinations\/busy: /m)
    assert.match(await log, /^\S+Z schedule shop: failed \(exit status 1\), .*response\/rejected: /m)
    assert.ok(!(await log).includes(secret) && !JSON.stringify(own.hooks).includes(secret))
    assert.ok(!(await readFile(join(own.given.cwd, 'connections/.schedules/shop.json'), 'utf8')).includes(secret))
  })

  test('SIGTERM commits what a run has read; the next server resumes it, and a second one at the same time stands by', async () => {
    let isStuck = true
    let reached = () => {}
    const isReached = new Promise<void>((resolve) => {
      reached = resolve
    })
    await using own = await shop((query) => {
      if (!isStuck || query.get('offset') !== '4') return ordersFrom(query)
      reached()
      return { raw: () => {} }
    })
    await writeFile(
      own.file,
      `${await readFile(own.file, 'utf8')}schedule:\n  every: 1h\n  webhook: ${own.api.url}/hook\n`,
    )
    await using first = own.serve()
    await isReached
    await using second = own.serve()
    await said(second.child.stderr, 'This server runs no schedules until that one ends.')
    assert.equal(own.api.asked.filter((line) => line === 'GET /orders').length, 1)
    isStuck = false
    first.child.kill('SIGTERM')
    assert.equal(await first.ended, 'SIGTERM')
    const [hook] = await own.hooked(1)
    assert.equal(hook?.status, 'complete')
    assert.deepEqual(await idsIn(own.out, 'orders'), ids)
    assert.equal(own.api.asked.filter((line) => line === 'GET /orders').length, 1, own.api.asked.join('\n'))
    second.child.kill('SIGINT')
    assert.equal(await second.ended, 0)
  })
})
