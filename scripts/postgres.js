/** Finds the programs of Postgres for the tests, or installs Debian's package where that is possible. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Installs Postgres unless there is one, or DATABASE_URL leads to one. The tests say how to get it otherwise. */
export function providePostgres() {
  if (process.env.DATABASE_URL || postgresFolder() !== undefined || !mayInstall()) return
  console.error('No Postgres found; installing the Debian package (about half a minute).')
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
  spawnSync('apt-get', ['install', '-y', '-qq', 'postgresql'], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}

/** The folder of `initdb` and `postgres`, the newest version first. */
function postgresFolder() {
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

const debian = '/usr/lib/postgresql'

function mayInstall() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}
