/** A worker as a later version would be: it knows jobs up to the format of its argument. Otherwise that of the command line. */
import { openWorkers } from '../../src/workers/open.ts'
import { startWorker } from '../../src/workers/worker.ts'

const { TURNLEAF_ON = '', TURNLEAF_HOME = '' } = process.env
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
const log = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
await using workers = await openWorkers(TURNLEAF_ON, { isWorker: true, format: Number(process.argv[2]) })
const worker = startWorker(workers.database, workers.queue, {
  name: 'newer',
  home: TURNLEAF_HOME,
  defaultDestination: () => TURNLEAF_ON,
  slots: { sync: 2, part: 2 },
  rules: { partSize: 4, fromSlices: 8 },
  openBudget: workers.openBudget,
  log,
  signal: stop.signal,
})
log({ event: 'worker-started' })
await worker.ended
