/** A revision of this repository → the package as it was, built and packed, in a folder of its own. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export type BuiltRevision = Disposable & {
  readonly revision: string
  /** The program of its command line. */
  readonly main: string
  readonly has: (file: string) => boolean
}

/** The first revision that has this file. */
export function firstWith(file: string): string {
  const [first] = run(root, 'git', 'log', '--reverse', '--diff-filter=A', '--format=%h', '--', file).split('\n')
  if (first === undefined || first === '') throw new Error(`No revision of this repository adds ${file}.`)
  return first
}

/** Below the repository: the packed program finds the dependencies that are installed here. */
export function buildRevision(given: string): BuiltRevision {
  const revision = run(root, 'git', 'rev-parse', '--short', `${given}^{commit}`)
  const folder = mkdtempSync(join(root, 'build', 'revision-'))
  const [sources, packed] = [join(folder, 'sources'), join(folder, 'packed')]
  for (const one of [sources, packed]) mkdirSync(one)
  run(root, 'git', 'archive', '--format=tar', '-o', join(folder, 'sources.tar'), revision)
  run(sources, 'tar', '-xf', join(folder, 'sources.tar'))
  linkDependencies(join(sources, 'node_modules'))
  run(sources, process.execPath, 'scripts/build.js')
  run(sources, 'npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', packed)
  run(packed, 'sh', '-c', 'tar -xzf *.tgz')
  return {
    revision,
    has: (file) => existsSync(join(sources, file)),
    main: join(packed, 'package', 'dist', 'cli', 'main.js'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** To those installed here. The folder is its own: the build keeps files of its own in it. */
function linkDependencies(folder: string): void {
  mkdirSync(folder)
  const installed = join(root, 'node_modules')
  for (const name of readdirSync(installed))
    if (name !== '.cache') symlinkSync(join(installed, name), join(folder, name))
}

function run(cwd: string, command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status === 0) return stdout.trim()
  throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? `${stdout}${stderr}`}`)
}
