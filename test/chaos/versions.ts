/**
 * Workers of an older revision and of this one on one database: each submits syncs of a sliced and of an unsliced stream, either
 * runs them, and each hands a running one over to the other. Rows must equal those of the API.
 */
import { cliProgram, startProgram } from '../cli/run-cli.ts'
import { type BuiltRevision, buildRevision, firstWith } from './build-revision.ts'
import { slicedWorld } from './sliced-world.ts'

const rounds = 3
const splits = 'src/workers/run-part-job.ts'
const streams = ['orders', 'list'] as const

type Version = 'older' | 'this'
type Line = { readonly event: string; readonly ending?: string }

/** @param given what git knows as a revision. Without one, the first that has workers, and the first that splits streams. */
export async function runVersions(given: readonly string[]) {
  const revisions = given.length > 0 ? given : [firstWith('src/workers/worker.ts'), firstWith(splits)]
  const rows: string[] = []
  let isSame = true
  for (const revision of revisions) {
    using older = buildRevision(revision)
    const result = await sideBySide(older)
    rows.push(result.row)
    isSame &&= result.isSame
  }
  const columns = [
    'older revision',
    'syncs',
    'run by older + this',
    'parts read by older + this',
    'handed over',
    'rows lost',
    'doubled',
  ]
  const table = [`| ${columns.join(' | ')} |`, `|${' --- |'.repeat(columns.length)}`, ...rows].join('\n')
  return { table, isSame }
}

async function sideBySide(older: BuiltRevision) {
  await using world = await slicedWorld({ shops: 60, perShop: 5, unsliced: 60 })
  const programs = { older: older.main, this: cliProgram }
  const logs: Record<Version, Line[]> = { older: [], this: [] }
  const synced: { readonly connection: string; readonly stream: (typeof streams)[number] }[] = []
  const codes: (number | NodeJS.Signals)[] = []

  const start = async (version: Version) => {
    const mayRead = version === 'this' || older.has(splits)
    const parts = mayRead ? ['--parts', '2', '--part-size', '5', '--split-from', '20'] : []
    const worker = await world.otherWorker(programs[version], ['worker', '--syncs', '1', ...parts])
    return {
      async stop() {
        worker.child.kill('SIGTERM')
        await worker.ended
        const log = await worker.log()
        logs[version].push(...log)
        return log
      },
    }
  }
  const submit = async (version: Version, stream: (typeof streams)[number]) => {
    const connection = `c${synced.length}`
    synced.push({ connection, stream })
    await world.connect(connection, { concurrency: '1', mode: 'full-refresh-append', streams: `[${stream}]` })
    const { child, ended } = startProgram(programs[version], ['sync', connection, '--on'], world.given())
    child.stdout.resume()
    child.stderr.resume()
    return async () => void codes.push(await ended)
  }

  const both = [await start('older'), await start('this')]
  const submitted: (() => Promise<void>)[] = []
  for (let round = 0; round < rounds; round++)
    for (const version of ['older', 'this'] as const)
      for (const stream of streams) submitted.push(await submit(version, stream))
  await Promise.all(submitted.map((ended) => ended()))
  for (const worker of both) await worker.stop()

  // One takes the place of the other in the middle of a sync: an upgrade, and the way back.
  let handedOver = 0
  for (const [from, to] of [
    ['older', 'this'],
    ['this', 'older'],
  ] as const)
    for (const stream of streams) {
      const first = await start(from)
      const ended = await submit(from, stream)
      await world.requests(10)
      const second = await start(to)
      const log = await first.stop()
      await ended()
      if (!log.some(({ event, ending }) => event === 'job-ended' && ending === 'complete')) handedOver++
      await second.stop()
    }

  const differences = await Promise.all(synced.map(({ connection, stream }) => world.differs(connection, stream)))
  const lost = differences.reduce((sum, one) => sum + one.lost, 0)
  const doubled = differences.reduce((sum, one) => sum + one.doubled, 0)
  const counts = (event: string, ending: string) =>
    (['older', 'this'] as const)
      .map((version) => logs[version].filter((line) => line.event === event && line.ending === ending).length)
      .join(' + ')
  const cells = [
    older.revision,
    synced.length,
    counts('job-ended', 'complete'),
    counts('part-ended', 'read'),
    handedOver,
    lost,
    doubled,
  ]
  return { row: `| ${cells.join(' | ')} |`, isSame: lost === 0 && doubled === 0 && codes.every((code) => code === 0) }
}
