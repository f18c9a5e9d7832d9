/** Tools of others, in exact versions, in a cache folder: none of them is a dependency, since some are large and some need Node 22. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

const versions = {
  lighthouse: '13.5.0',
  linkinator: '8.1.0',
  '@stoplight/spectral-cli': '6.16.3',
  afdocs: '0.22.2',
  '@modelcontextprotocol/inspector': '2.12.0',
  schemathesis: '4.32.5',
  'llms-txt': '0.0.7',
}

/** Newer than the oldest one that we support, with which `npm test` runs. */
export const nodes = { 22: '22.23.3', 24: '24.21.0', 26: '26.10.0' }

const cache = resolve('node_modules/.cache/turnleaf/outside')

/** As the table names it. */
export const named = (name) => `${name} ${versions[name]}`

/** @returns the folder of a package from npm. */
function npmPackage(name, version = versions[name]) {
  const folder = made(name, version, (at) => {
    writeFileSync(join(at, 'package.json'), '{ "private": true }')
    const options = ['--save-exact', '--no-audit', '--no-fund', '--loglevel=error']
    return spawnSync('npm', ['install', ...options, `${name}@${version}`], { cwd: at, stdio: inherited })
  })
  return join(folder, 'node_modules', name)
}

/** @returns a Python that can import the package. */
export function pythonWith(name) {
  const folder = made(name, versions[name], (at) => {
    const { status } = spawnSync('python3', ['-m', 'venv', 'python'], { cwd: at, stdio: inherited })
    if (status !== 0) throw new Error('Python 3 with `venv` is needed.')
    return spawnSync('python/bin/pip', ['install', '--quiet', `${name}==${versions[name]}`], {
      cwd: at,
      stdio: inherited,
    })
  })
  return join(folder, 'python/bin')
}

/** What an installer prints is for the person who waits, not for the table. */
const inherited = ['ignore', 2, 2]

function made(name, version, install) {
  const folder = join(cache, `${name.replaceAll(/[@/]/g, '-')}-${version}`)
  const mark = join(folder, 'installed')
  if (existsSync(mark)) return folder
  console.error(`Installing ${name} ${version} …`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { status } = install(folder)
  if (status !== 0) throw new Error(`${name} ${version} could not be installed.`)
  writeFileSync(mark, '')
  return folder
}

/** @returns the program of one of `nodes`. */
export function nodeFromNpm(major) {
  return join(npmPackage('node', nodes[major]), 'bin/node')
}

/** The Node that runs this, where it is new enough; otherwise one from npm. */
function node22() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 19) ? process.execPath : nodeFromNpm(22)
}

/** Runs a program of an npm package with Node 22. */
export function runNpm(name, program, args, options = {}) {
  const folder = npmPackage(name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return run(node22(), [join(folder, bin[program]), ...args], options)
}

/** @returns what it printed. Its exit code says what its output says better. */
export async function run(command, args, { env = {}, cwd = cache, limitMs = 600_000 } = {}) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  clearTimeout(timer)
  return { stdout, stderr, status }
}

/** JSON that a tool printed; its own words where that is not JSON. */
export function parsed({ stdout, stderr }) {
  try {
    return JSON.parse(stdout)
  } catch {
    throw new Error(`No JSON: ${(stderr || stdout).trim().slice(-2000)}`)
  }
}
