import assert from 'node:assert/strict'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pauseSchedule, setSchedule } from '../../src/schedules/edit-schedule.ts'
import { listSchedules } from '../../src/schedules/list-schedules.ts'
import type { RunOutcome } from '../../src/schedules/run-connection.ts'
import { openScheduler, type SchedulerEvent } from '../../src/schedules/scheduler.ts'
import { openScheduleStore } from '../../src/schedules/store.ts'
import { ConnectorError } from '../../src/std/errors.ts'
import { tempFolder } from '../cli/shop.ts'

const complete: RunOutcome = { status: 'complete', exitStatus: 0, run: 'r', error: null, receipts: [] }

/** A home with connections; runs end when the test says so, and time is what the test says. */
async function home(...names: readonly string[]) {
  const files = await tempFolder()
  for (const name of names)
    await files.write(`connections/${name}/connection.yaml`, 'connector: shop\nschedule: { every: 1h }\n')
  const clock = { now: Date.parse('2026-01-01T12:00:00Z') }
  const runs: { name: string; signal: AbortSignal; end: (outcome: RunOutcome) => void }[] = []
  const events: SchedulerEvent[] = []
  const waiting: (() => void)[] = []
  const store = openScheduleStore(files.folder)
  const open = (slots = 4) => {
    const scheduler = openScheduler({
      store,
      slots,
      now: () => clock.now,
      pollMs: 20,
      run: (name, signal) =>
        new Promise((resolve) => {
          runs.push({ name, signal, end: resolve })
          signal.addEventListener('abort', () => resolve({ ...complete, status: 'interrupted', exitStatus: null }))
        }),
      onEvent(event) {
        events.push(event)
        for (const ring of waiting) ring()
      },
    })
    scheduler.begin()
    return scheduler
  }
  /** Waits for as many events of a kind. */
  const seen = async (kind: SchedulerEvent['kind'], count: number) => {
    const found = () => events.filter((event) => event.kind === kind)
    while (found().length < count) await new Promise<void>((resolve) => void waiting.push(resolve))
    return found()
  }
  return { ...files, clock, runs, events, store, open, seen, list: () => listSchedules(store, clock.now) }
}

/** Several rounds of looking for something to do. */
const someRounds = () => new Promise((resolve) => void setTimeout(resolve, 120))

describe('the scheduler', { concurrency: 4 }, () => {
  test('a schedule whose state cannot be stored waits, is reported once, and stops no other', async () => {
    await using own = await home('first', 'second', 'third')
    const blocked = ['first', 'second'].map((name) => join(own.folder, 'connections/.schedules', `${name}.json`))
    for (const path of blocked) await mkdir(path, { recursive: true })
    await using _ = own.open(1)
    await own.seen('started', 1)
    await someRounds()
    assert.deepEqual(
      own.runs.map(({ name }) => name),
      ['third'],
    )
    own.runs[0]?.end(complete)
    await own.seen('ended', 1)
    await someRounds()
    const problems = (await own.seen('problem', 4)) as Extract<SchedulerEvent, { kind: 'problem' }>[]
    assert.deepEqual(
      problems.map(({ name, error }) => [name, /cannot be (\w+): a folder is in the place/.exec(error.message)?.[1]]),
      [
        ['first', 'read'],
        ['second', 'read'],
        ['first', 'written'],
        ['second', 'written'],
      ],
    )
    assert.ok(problems.every(({ error }) => error instanceof ConnectorError && error.code === 'cli/file'))
    for (const path of blocked) await rm(path, { recursive: true })
    const started = (await own.seen('started', 2)) as Extract<SchedulerEvent, { kind: 'started' }>[]
    // A round may come between the two.
    assert.ok(['first', 'second'].includes(started[1]?.name ?? ''))
  })

  test('a folder that cannot be written is reported once, with what to do, and schedules run when it can', async () => {
    await using own = await home('shop')
    const blocked = await own.write('connections/.schedules', 'a file where the folder should be')
    await using _ = own.open()
    await own.seen('problem', 1)
    await someRounds()
    const [problem, ...others] = (await own.seen('problem', 1)) as Extract<SchedulerEvent, { kind: 'problem' }>[]
    assert.deepEqual(others, [])
    assert.ok(problem?.error instanceof ConnectorError)
    assert.match(
      problem.error.message,
      /connections\/\.schedules cannot be written: a file is in the place of a folder/,
    )
    assert.match(problem.error.hint, /make that folder writable\. Until then no schedule runs/)
    await rm(blocked)
    await own.seen('started', 1)
  })

  test('a home that is gone is reported once, with what to do, and its schedules run when it is back', async () => {
    await using own = await home('shop')
    await using _ = own.open()
    await own.seen('started', 1)
    own.runs[0]?.end(complete)
    await own.seen('ended', 1)
    const [folder, away] = ['connections', 'unmounted'].map((name) => join(own.folder, name)) as [string, string]
    await rename(folder, away)
    await own.seen('problem', 1)
    await someRounds()
    const [problem, ...others] = (await own.seen('problem', 1)) as Extract<SchedulerEvent, { kind: 'problem' }>[]
    assert.deepEqual(others, [])
    assert.ok(problem?.error instanceof ConnectorError)
    assert.match(problem.error.message, /connections is gone, and the schedules with it\.$/)
    assert.match(problem.error.hint, /Mount its disk again/)
    await rename(away, folder)
    own.clock.now += 3_600_000
    await own.seen('started', 2)
  })

  test('starts what is due, once, and stores how it ended', async () => {
    await using own = await home('shop')
    await using scheduler = own.open()
    await own.seen('started', 1)
    own.clock.now += 3 * 3_600_000
    await someRounds()
    assert.equal(own.runs.length, 1)
    assert.deepEqual([...scheduler.running()], ['shop'])
    assert.equal((await own.list())[0]?.last?.status, 'running')
    own.runs[0]?.end(complete)
    await own.seen('ended', 1)
    const [listed] = await own.list()
    assert.deepEqual([listed?.last?.status, listed?.last?.exitStatus], ['complete', 0])
    assert.equal(listed?.nextAt, '2026-01-01T16:00:00.000Z')
    await someRounds()
    assert.equal(own.runs.length, 1)
    own.clock.now += 3_600_000
    await own.seen('started', 2)
  })

  test('runs as many at a time as it has slots', async () => {
    await using own = await home('a', 'b', 'c')
    await using _scheduler = own.open(2)
    await own.seen('started', 2)
    await someRounds()
    assert.equal(own.runs.length, 2)
    own.runs[0]?.end(complete)
    await own.seen('started', 3)
    assert.deepEqual(own.runs.map(({ name }) => name).toSorted(), ['a', 'b', 'c'])
  })

  test('of two on one home one runs the schedules, and the other takes over when it ends', async () => {
    await using own = await home('shop')
    const first = own.open()
    await own.seen('started', 1)
    await using _second = own.open()
    const [standing] = await own.seen('standing-by', 1)
    assert.match(
      String((standing as { reason?: string }).reason),
      /^The scheduler of this home is in use by this process/,
    )
    await someRounds()
    assert.equal(own.runs.length, 1)
    await first[Symbol.asyncDispose]()
    assert.ok(own.runs[0]?.signal.aborted)
    // What was interrupted resumes.
    await own.seen('started', 2)
    assert.equal(own.events.filter(({ kind }) => kind === 'standing-by').length, 1)
  })

  test('closing ends runs, and stores that they were interrupted', async () => {
    await using own = await home('shop')
    const scheduler = own.open()
    await own.seen('started', 1)
    await scheduler[Symbol.asyncDispose]()
    assert.equal((await own.list())[0]?.last?.status, 'interrupted')
  })

  test('notices schedules that are added, paused, broken and removed, without a restart', async () => {
    await using own = await home()
    await using scheduler = own.open()
    const file = await own.write('connections/shop/connection.yaml', 'connector: shop\n')
    await someRounds()
    assert.equal(own.runs.length, 0)
    await setSchedule('shop', { every: '1h' }, own.folder, own.clock.now)
    await own.seen('started', 1)
    own.runs[0]?.end(complete)
    await own.seen('ended', 1)
    await pauseSchedule('shop', true, own.folder)
    own.clock.now += 5 * 3_600_000
    await someRounds()
    assert.equal(own.runs.length, 1)
    await pauseSchedule('shop', false, own.folder)
    await own.seen('started', 2)
    await writeFile(file, 'connector: shop\nschedule: { every: never }\n')
    own.runs[1]?.end(complete)
    const problems = await own.seen('problem', 1)
    await someRounds()
    assert.equal(problems.length, 1)
    await rm(join(own.folder, 'connections/shop'), { recursive: true })
    await someRounds()
    assert.deepEqual(await own.list(), [])
    await assert.rejects(scheduler.runNow('shop'), { code: 'schedules/none' })
  })

  test('a run that is asked for starts at once, but not beside another', async () => {
    await using own = await home('shop')
    await using scheduler = own.open()
    await own.seen('started', 1)
    await assert.rejects(scheduler.runNow('shop'), { code: 'server/busy' })
    own.runs[0]?.end(complete)
    await own.seen('ended', 1)
    await scheduler.runNow('shop')
    assert.equal(own.runs.length, 2)
  })

  test('a run can be asked for as soon as the end of the last one can be read', async () => {
    await using own = await home('shop')
    const { save } = own.store
    let next: Promise<void> | undefined
    Object.assign(own.store, {
      async save(...[name, state]: Parameters<typeof save>) {
        await save(name, state)
        if (state.last?.status === 'complete') next ??= scheduler.runNow(name)
      },
    })
    await using scheduler = own.open()
    await own.seen('started', 1)
    own.runs[0]?.end(complete)
    await own.seen('started', 2)
    await next
    assert.equal(own.runs.length, 2)
  })

  test('a state that cannot be read counts as none, is reported, and keeps no other schedule from running', async () => {
    const run = { startedAt: 5, endedAt: null, status: 'running', exitStatus: null, run: null, error: null }
    const whole = { times: 'every 1h', settledUntil: 5, failures: 0, last: run }
    const { last: _, ...withoutLast } = whole
    const bad = {
      broken: '{"times": 5',
      'without-last': withoutLast,
      'no-failures': { ...whole, failures: 'none' },
      'no-time': { ...whole, settledUntil: 1e300 },
      'no-status': { ...whole, last: { ...run, status: 'toString' } },
      'half-run': { ...whole, last: { startedAt: 5, status: 'running' } },
      'half-error': { ...whole, last: { ...run, error: { code: 'x' } } },
    }
    await using own = await home(...Object.keys(bad), 'good')
    for (const [name, state] of Object.entries(bad)) await own.write(`connections/.schedules/${name}.json`, state)
    await own.write('connections/.schedules/good.json', whole)
    assert.deepEqual(
      (await own.list()).map(({ connection, last, problem }) => [connection, last?.status, problem]),
      [...Object.keys(bad), 'good'].toSorted().map((name) => [name, name === 'good' ? 'running' : undefined, null]),
    )
    await using _scheduler = own.open(8)
    await own.seen('started', 8)
    const problems = (await own.seen('problem', 7)) as { name: string; error: Error }[]
    assert.deepEqual(problems.map(({ name }) => name).toSorted(), Object.keys(bad).toSorted())
    assert.match(problems[0]?.error.message ?? '', /broken\.json cannot be read: it is incomplete or damaged\./)
  })

  test('a state that the disk does not give is reported, and the schedules there are can be listed', async () => {
    await using own = await home('shop', 'good')
    // Also where tests run as root, who may read every file.
    await own.write('connections/.schedules/shop.json/file', '')
    const { schedules, notices } = await own.store.load()
    assert.deepEqual(
      schedules.map(({ name, state }) => [name, state]),
      [
        ['good', null],
        ['shop', null],
      ],
    )
    assert.match(notices[0]?.error.message ?? '', /shop\.json cannot be read: .*EISDIR.* The schedule counts as new\./)
    assert.deepEqual(
      (await own.list()).map(({ connection }) => connection),
      ['good', 'shop'],
    )
  })
})
