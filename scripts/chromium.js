/** Finds Chromium for the browser tests, or installs Debian's where that is possible; says how to get it otherwise. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const candidates = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The path of a Chromium; undefined when there is none and none could be installed. */
export function chromium() {
  const found = find()
  if (found !== undefined || !mayInstall()) return found
  console.error('No Chromium found; installing the Debian package (about half a minute).')
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
  spawnSync('apt-get', ['install', '-y', '-qq', 'chromium'], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return find()
}

function find() {
  return candidates.find((path) => path !== undefined && existsSync(path))
}

function mayInstall() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}
