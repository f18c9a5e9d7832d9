/** A Postgres server of one's own, in a temp folder, that can be stopped and started again. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresPrograms } from './postgres-programs.ts'

export type TestServer = AsyncDisposable & {
  /** As its superuser, to the database `postgres`. */
  readonly url: string
  /** `fast` ends sessions in order; `immediate` is a crash, with recovery at the next start. */
  stop(how: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
}

const password = 'turnleaf'

/** @param passwords how they are checked: `md5` costs a tenth of the time, which counts where thousands of sessions are opened */
export async function startPostgres(passwords: 'scram-sha-256' | 'md5' = 'scram-sha-256'): Promise<TestServer> {
  const programs = postgresPrograms()
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-pg-'))
  const user = serverUser()
  const run = { ...user, env: { ...process.env, LC_ALL: 'C' } }
  if (user !== null) chownSync(folder, user.uid, user.gid)
  makeData(join(folder, 'data'), passwords, programs, run)

  const port = await freePort()
  let guard: ChildProcess
  const start = async () => {
    guard = await launch(join(programs, 'postgres'), folder, port, run)
  }
  const stop = async (how: 'fast' | 'immediate') => {
    if (guard.exitCode !== null) return
    guard.ref()
    const exited = once(guard, 'exit')
    const [pid] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await exited
  }
  await start()
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop('immediate')
      await rm(folder, { recursive: true })
    },
  }
}

/** What a server starts from. That takes seconds to make: a whole run of the tests makes it once, and copies it. */
function makeData(data: string, passwords: string, programs: string, run: object): void {
  const folder = process.env.TURNLEAF_TEST_TEMP
  if (folder === undefined) return initialize(data, passwords, programs, run)
  const made = join(folder, `turnleaf-pg-data-${passwords}`)
  if (!existsSync(made)) {
    const own = `${made}-${process.pid}`
    initialize(own, passwords, programs, run)
    try {
      renameSync(own, made)
    } catch (error) {
      // Another process of the run was first.
      if (!existsSync(made)) throw error
    }
  }
  succeed('cp', ['-a', made, data], run)
}

function initialize(data: string, passwords: string, programs: string, run: object): void {
  const file = `${data}-password`
  writeFileSync(file, password, { mode: 0o644 })
  const how = ['-U', 'postgres', '-A', passwords, `--pwfile=${file}`, '-E', 'UTF8', '--no-sync']
  succeed(join(programs, 'initdb'), ['-D', data, ...how], run)
}

function succeed(program: string, given: readonly string[], run: object): void {
  const { error, status, stderr } = spawnSync(program, given, run)
  if (status !== 0) throw error ?? new Error(`${program} failed: ${stderr.toString()}`)
}

/** Ends the server when our end of the pipe closes, which it does however we end; its folder then goes as well. */
const guardScript = `
  exec 3<&0
  folder=$1; shift
  "$@" </dev/null 3<&- &
  server=$!
  (read -r _ <&3; kill -QUIT $server) 2>/dev/null &
  guard=$!
  wait $server
  kill $guard 2>/dev/null || rm -rf "$folder"`

async function launch(program: string, folder: string, port: number, run: object): Promise<ChildProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    log_min_messages: 'log',
    log_checkpoints: 'off',
    // The machine does not fail in these tests, only processes do.
    fsync: 'off',
    full_page_writes: 'off',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = [program, '-D', join(folder, 'data'), '-p', String(port), ...options]
  const guard = spawn('sh', ['-c', guardScript, 'sh', folder, ...server], {
    ...run,
    // Ctrl-C is for the tests; the guard must live to see them end.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  await ready(guard)
  // Nothing of it keeps the process of the tests alive.
  guard.unref()
  for (const pipe of [guard.stdin, guard.stderr]) (pipe as unknown as { unref(): void }).unref()
  return guard
}

function ready(guard: ChildProcess): Promise<void> {
  let log = ''
  return new Promise((resolve, reject) => {
    guard.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000)
      if (log.includes('ready to accept connections')) resolve()
    })
    guard.once('exit', () => reject(new Error(`Postgres did not start: ${log}`)))
  })
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Postgres does not run as root. */
function serverUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const [uid, gid] = ['-u', '-g'].map((part) => {
    const found = spawnSync('id', [part, 'postgres'])
    return found.status === 0 ? Number(found.stdout.toString()) : 65534
  })
  return { uid: uid ?? 65534, gid: gid ?? 65534 }
}
