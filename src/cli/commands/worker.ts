/** `turnleaf worker` */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { homeFolder } from '../../connections/find-connection.ts'
import { withoutPasswords } from '../../destinations/without-passwords.ts'
import { listen, type Listening } from '../../site/listen.ts'
import { stringifyJson } from '../../std/json.ts'
import { openWorkers } from '../../workers/open.ts'
import type { Queue, QueueCounts } from '../../workers/queue.ts'
import type { LogLine } from '../../workers/job-run.ts'
import { startWorker, type Worker } from '../../workers/worker.ts'
import { addressFrom } from '../destination-address.ts'
import { listenForInterrupt, serverExitCode } from '../interrupt.ts'
import { ignoreClosedPipe } from '../closed-pipe.ts'
import { packageVersion } from '../package.ts'
import { withFailureReport } from '../report-error.ts'
import { workersAddress } from '../workers-address.ts'

type WorkerCommandOptions = {
  readonly on?: string
  readonly syncs?: number
  readonly parts?: number
  readonly partSize?: number
  readonly splitFrom?: number
  readonly port?: number
  readonly host?: string
  readonly name?: string
}

export function runWorker(given: WorkerCommandOptions): Promise<number> {
  const { on, syncs = 4, parts = 4, partSize = 100, splitFrom = 200, port, host, name = usualName() } = given
  return withFailureReport(async (learn) => {
    learn(withoutPasswords)
    ignoreClosedPipe()
    const log = ({ level, event, ...rest }: LogLine) => {
      const line = { time: new Date().toISOString(), level, event, worker: name, ...rest }
      process.stdout.write(`${withoutPasswords(stringifyJson(line))}\n`)
    }
    const interrupt = listenForInterrupt()
    await using workers = await openWorkers(workersAddress(on), {
      isWorker: true,
      // A queue that cannot be reached is reported once, by the worker.
      onError: () => {},
    })
    const { database, queue, openBudget } = workers
    // Before any job is taken: a port that is taken ends the command.
    await using served = port === undefined ? null : await listen({ port, ...(host !== undefined && { host }) })
    const worker = startWorker(database, queue, {
      name,
      home: homeFolder(),
      defaultDestination: () => addressFrom(undefined),
      slots: { sync: syncs, part: parts },
      rules: { partSize, fromSlices: splitFrom },
      openBudget,
      log,
      signal: interrupt.signal,
    })
    if (served !== null) serveHealth(served, worker, queue, name)
    log({
      level: 'info',
      event: 'worker-started',
      version: packageVersion(),
      on: database.address,
      syncs,
      parts,
      ...(served !== null && { url: served.url }),
    })
    interrupt.signal.addEventListener('abort', () =>
      log({ level: 'info', event: 'worker-stopping', syncs: worker.running('sync'), parts: worker.running('part') }),
    )
    await worker.ended
    log({ level: 'info', event: 'worker-stopped' })
    return serverExitCode(interrupt)
  })
}

/** Different on every machine and for every process, also in containers that all have the process id 1. */
function usualName(): string {
  return `${hostname()}-${process.pid}-${randomBytes(2).toString('hex')}`
}

/** A worker that cannot reach its queue for this long is not healthy. */
const silentMs = 30_000

function serveHealth(served: Listening, worker: Worker, queue: Queue, name: string): void {
  served.serve((request, response) => {
    const reply = (status: number, type: string, body: string) => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
      response.end(request.method === 'HEAD' ? undefined : body)
    }
    const json = (status: number, value: object) => reply(status, 'application/json', `${stringifyJson(value)}\n`)
    const path = request.url?.split('?')[0]
    if (request.method !== 'GET' && request.method !== 'HEAD') return json(405, { error: 'Only GET and HEAD.' })
    if (path === '/health') {
      const isReached = worker.unreachedMs() < silentMs
      const status = isReached ? 'ok' : 'queue-unreachable'
      return json(isReached ? 200 : 503, {
        status,
        worker: name,
        syncs: worker.running('sync'),
        parts: worker.running('part'),
      })
    }
    if (path !== '/metrics') return json(404, { error: 'There are /health and /metrics.' })
    void countsOf(queue).then((counts) =>
      reply(
        200,
        'text/plain; version=0.0.4; charset=utf-8',
        worker.tally.print({ syncs: worker.running('sync'), parts: worker.running('part'), queue: counts }),
      ),
    )
  })
}

/** Null while the queue cannot be reached. */
function countsOf(queue: Queue): Promise<QueueCounts | null> {
  return queue.counts('sync').catch(() => null)
}
