/** Where the programs of Postgres are; Debian's package is installed where there is none and that is possible. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The folder of `initdb` and `postgres`. */
export function postgresPrograms(): string {
  const found = find() ?? (mayInstall() ? install() : undefined)
  if (found !== undefined) return found
  throw new Error(
    'These tests need Postgres: install it (apt-get install postgresql), or add the folder of initdb to PATH.',
  )
}

const debian = '/usr/lib/postgresql'

/** The newest of Debian's, which it does not put into PATH; else any. */
function find(): string | undefined {
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((one, other) => Number(other) - Number(one)) : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))))
}

function mayInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}

function install(): string | undefined {
  console.error('No Postgres found; installing the Debian package (about half a minute).')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
  spawnSync('apt-get', ['install', '-y', '-qq', 'postgresql'], { stdio: 'ignore', env })
  return find()
}
