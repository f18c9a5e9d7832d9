/** A database of workers, an API that can be held up, a home with connections, and worker processes. */
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freshDatabase } from '../helpers/postgres.ts'
import { until } from '../helpers/until.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { type Given, runCli, runProcess, said, startCli, startProgram } from '../cli/run-cli.ts'
import { manifestOf, stream, tempFolder } from '../cli/shop.ts'

export const secret = 's3cr3t-of-the-workers'

type ListedJob = {
  readonly connection: string
  readonly state: string
  readonly error: { readonly code?: string } | null
}

export type LogLine = {
  event: string
  job?: string
  connection?: string
  stream?: string
  ending?: string
  format?: number
  error?: { code?: string; hint?: string }
  url?: string
}

/**
 * @param size how many records each stream has
 * @param server the address of a Postgres of one's own
 */
export async function workerWorld({ size = 6, server }: { size?: number; server?: string } = {}) {
  const database = await freshDatabase(server)
  const files = await tempFolder()
  const all = Array.from({ length: size }, (_, index) => ({ id: index + 1 }))
  const releases: (() => void)[] = []
  let gate: Promise<void> | null = null
  let reached = () => {}
  let posted: (body: string) => void = () => {}
  const api = await serveApi({
    '*': async (query, { headers, method, body }) => {
      if (method === 'POST') {
        posted(body)
        return { json: {} }
      }
      if (headers['x-key'] !== secret) return { status: 401, json: {} }
      const offset = Number(query.get('offset') ?? 0)
      if (gate !== null && offset >= size / 2) {
        reached()
        await gate
      }
      return { json: { data: all.slice(offset, offset + 2) } }
    },
  })
  const requester = { request_headers: { 'x-key': "{{ config['api_key'] }}" } }
  const properties = { api_key: { type: 'string', airbyte_secret: true } }
  const spec = { type: 'Spec', connection_specification: { type: 'object', required: ['api_key'], properties } }
  const streams = [stream(api.url, { name: 'orders', requester })]
  await files.write('connectors/shop/manifest.json', manifestOf(streams, { spec }))
  const env = { TURNLEAF_ON: database.url, TURNLEAF_HOME: files.folder, SHOP_KEY: secret, SHOP_TO: database.url }
  const given = (more: Record<string, string> = {}): Given => ({ env: { ...env, ...more }, cwd: files.folder })
  return {
    database,
    api,
    all,
    home: files.folder,
    write: (name: string, content: unknown) => files.write(name, content),
    env,
    /** The API holds back the second half until the returned function is called; `held` when a request waits for it. */
    hold() {
      let release = () => {}
      const own = new Promise<void>((resolve) => {
        release = () => {
          if (gate === own) gate = null
          resolve()
        }
      })
      gate = own
      releases.push(release)
      let isHeld = false
      reached = () => {
        isHeld = true
      }
      return {
        get held() {
          return until('a request for the second half comes', () => isHeld)
        },
        release,
      }
    },
    /** Receives what is posted to the API: webhooks. */
    onPost(listener: (body: string) => void) {
      posted = listener
    },
    async connect(name: string, lines: Record<string, string> = {}) {
      const folder = join(files.folder, 'connections', name)
      await mkdir(folder, { recursive: true })
      const keys = { connector: 'shop', destination: '${SHOP_TO}', schema: name, prefetch: '"off"', ...lines }
      const yaml = Object.entries(keys).map(([key, value]) => `${key}: ${value}\n`)
      await writeFile(join(folder, 'connection.yaml'), `${yaml.join('')}config:\n  api_key: \${SHOP_KEY}\n`)
    },
    /** In a process that runs many commands. */
    run: (args: readonly string[], more?: Record<string, string>) => runCli(args, given(more)),
    runAlone: (args: readonly string[], more?: Record<string, string>) => runProcess(args, given(more)),
    given,
    start: (args: readonly string[], more?: Record<string, string>) => startCli(args, given(more)),
    worker: (args: readonly string[] = [], more?: Record<string, string>) =>
      startedWorker(startCli(['worker', ...args], given(more))),
    /** A worker that is another program, or the command line of another version. */
    otherWorker: (program: string, args: readonly string[]) => startedWorker(startProgram(program, args, given())),
    jobs: async () => linesOf((await runCli(['jobs', '--json'], given())).stdout) as unknown as ListedJob[],
    /** The name of the worker that has the job of a connection. */
    leadOf: async (connection: string) => {
      const listed = linesOf((await runCli(['jobs', '--json'], given())).stdout) as unknown as Record<string, string>[]
      return listed.find((job) => job.connection === connection && job.state === 'running')?.worker ?? ''
    },
    ids: async (schema: string) =>
      (await database.query(`SELECT id FROM "${schema}".orders ORDER BY id`)).map(({ id }) => Number(id)),
    async [Symbol.asyncDispose]() {
      for (const release of releases) release()
      await api[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
      await files[Symbol.asyncDispose]()
    },
  }
}

/** A worker that has started. */
async function startedWorker(started: ReturnType<typeof startCli>) {
  const first = await said(started.child.stdout, 'worker-started')
  let heard = first
  started.child.stdout.on('data', (chunk: Buffer) => (heard += String(chunk)))
  const closed = once(started.child.stdout, 'close')
  return {
    ...started,
    pid: started.child.pid as number,
    url: linesOf(first)[0]?.url,
    /** Waits until the log has these words. */
    logs: (words: string) =>
      until(
        () => `the worker logs ${words}; it logged ${heard}`,
        () => heard.includes(words),
      ),
    /** What it has logged by now. */
    logSoFar: () => linesOf(heard.slice(0, heard.lastIndexOf('\n'))),
    /** Everything that it has logged, once it has ended. */
    log: async () => {
      await closed
      return linesOf(heard)
    },
  }
}

export function linesOf(stdout: string): LogLine[] {
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as LogLine)
}
