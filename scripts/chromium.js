/**
 * Finds Chromium for the browser tests, or installs Debian's where that is possible; says how to get it otherwise.
 * The headless shell comes first: it draws no windows, and so takes less of the cores.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const shell = '/usr/bin/chromium-headless-shell'
const others = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The path of a Chromium; undefined when there is none and none could be installed. */
export function chromium() {
  if (process.env.CHROMIUM && existsSync(process.env.CHROMIUM)) return process.env.CHROMIUM
  if (!existsSync(shell) && mayInstall()) install()
  return [shell, ...others].find((path) => existsSync(path))
}

function mayInstall() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}

/** In the version of a Chromium that is there: the two share files. */
function install() {
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', '${Version}', 'chromium'], { encoding: 'utf8' })
  const name = stdout ? `chromium-headless-shell=${stdout}` : 'chromium-headless-shell'
  console.error(`Installing the Debian package ${name} for the browser tests (about half a minute).`)
  const apt = (...args) =>
    spawnSync('apt-get', ['-y', '-qq', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20', ...args], {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: 180_000,
    })
  const get = () => apt('install', '--no-remove', name).status === 0
  if (get()) return
  apt('update')
  if (!get() && !others.some((path) => existsSync(path))) apt('install', '--no-remove', 'chromium')
}
