/**
 * Python with the peers, and `got`: in a cache folder, made on first use from exact versions and again when these change. Nothing of it
 * is a dependency of ours.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { start } from './children.ts'

/** The newest that runs on Node 20. */
export const gotVersion = '14.6.6'

export type Environment = {
  readonly folder: string
  readonly python: string
  /** airbyte-cdk's own command line. */
  readonly airbyteCommand: string
  /** The file to import. */
  readonly got: string
}

/** What the user has to install first. */
export class MissingTool extends Error {}

const requirements = 'benchmarks/peers/requirements.txt'

export async function prepare(folder: string, search: NodeJS.ProcessEnv = process.env): Promise<Environment> {
  const root = resolve(folder)
  const environment = {
    folder: root,
    python: join(root, 'venv/bin/python'),
    airbyteCommand: join(root, 'venv/bin/source-declarative-manifest'),
    got: join(root, 'node/node_modules/got/dist/source/index.js'),
  }
  const wanted = createHash('sha256').update(readFileSync(requirements)).update(gotVersion).digest('hex')
  const mark = join(root, 'made-from')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return environment
  const python = findPython(search)
  console.log(`installing airbyte-cdk, dlt, singer-sdk and got into ${folder} (about 700 MB, a few minutes, once)`)
  rmSync(root, { recursive: true, force: true })
  mkdirSync(join(root, 'node'), { recursive: true })
  if ((await run([python, '-m', 'venv', join(root, 'venv')])) !== 0) {
    throw new MissingTool('Python cannot make a virtual environment: install venv and pip (Debian: python3-venv).')
  }
  await mustRun([environment.python, '-m', 'pip', 'install', '-q', '--disable-pip-version-check', '-r', requirements])
  writeFileSync(join(root, 'node/package.json'), '{ "private": true }\n')
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await mustRun(['npm', 'install', ...quiet, '--prefix', join(root, 'node'), `got@${gotVersion}`])
  writeFileSync(mark, wanted)
  return environment
}

const oldest = 10
const newest = 14

/** The first Python on the path that all peers support. */
export function findPython(search: NodeJS.ProcessEnv): string {
  const minors = Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index)
  for (const name of ['python3', ...minors.map((minor) => `python3.${minor}`)]) {
    const minor = minorOf(name, search)
    if (minor !== null && minor >= oldest && minor <= newest) return name
  }
  throw new MissingTool(
    `The peers need Python 3.${oldest} to 3.${newest} with venv and pip: install it (Debian: python3 and python3-venv).`,
  )
}

function minorOf(name: string, search: NodeJS.ProcessEnv): number | null {
  try {
    const text = execFileSync(name, ['--version'], {
      encoding: 'utf8',
      env: search,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [, minor] = /^Python 3\.(\d+)/.exec(text) ?? []
    return minor === undefined ? null : Number(minor)
  } catch {
    return null
  }
}

async function run(command: readonly string[]): Promise<number | null> {
  const child = start(command, { stdio: 'inherit' })
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}

async function mustRun(command: readonly string[]): Promise<void> {
  if ((await run(command)) !== 0) throw new Error(`${command.slice(0, 4).join(' ')} … failed`)
}

/** Nothing of the caller's own settings: no proxy, no configuration files, no telemetry. */
export function environmentVariables({ folder, got }: Environment): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    GOT: got,
    DLT_DATA_DIR: join(folder, 'dlt'),
    RUNTIME__DLTHUB_TELEMETRY: 'false',
    // As many requests at a time as the manifest allows Turnleaf and airbyte-cdk; its default is 5.
    EXTRACT__WORKERS: '16',
    PYTHONDONTWRITEBYTECODE: '1',
  }
}
