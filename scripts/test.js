/**
 * Compiles src, test and examples to build/, then runs every test file, in four processes side by side: each waits for
 * browsers, servers or databases most of the time, and the others take the cores meanwhile.
 * `npm test -- pagination` runs only the files whose path contains "pagination".
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { chromium } from './chromium.js'

// What a deleted test was compiled to must not run.
rmSync('build', { recursive: true, force: true })

// Examples import the package by its name, which leads to dist/.
for (const [command, args] of [
  [process.execPath, ['scripts/build.js']],
  ['node_modules/.bin/tsc', ['-p', 'tsconfig.json']],
]) {
  const made = spawnSync(command, args, { stdio: 'inherit' })
  if (made.status !== 0) process.exit(made.status ?? 1)
}

const wanted = process.argv.slice(2)
const files = readdirSync('build/test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js'))
  .filter((file) => wanted.length === 0 || wanted.some((word) => file.includes(word)))
  .toSorted()
if (files.length === 0) {
  console.error(`No test file has ${wanted.join(' or ')} in its path.`)
  process.exit(2)
}

const browser = chromium()
if (browser === undefined) {
  console.error('No Chromium, so what needs a browser is skipped: install it, or name it in CHROMIUM.')
}
/** Whatever is in none of them is the last part. */
const parts = {
  browser: /^(?:builder|site)\//,
  proof: /^(?:insight|lab|reliability|docs)/,
  landing: /^(?:chaos|destinations|sync)\//,
}
const partOf = (file) => Object.keys(parts).find((part) => parts[part].test(file)) ?? 'rest'
const groups = [...Object.keys(parts), 'rest']
  .map((part) => files.filter((file) => partOf(file) === part))
  .filter(({ length }) => length > 0)
const ends = await Promise.all(groups.map(run))

const [passed, failed, skipped] = [1, 2, 3].map((part) =>
  ends.reduce((sum, { counts }) => sum + Number(counts[part] ?? 0), 0),
)
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exit(ends.every(({ status }) => status === 0) && failed === 0 ? 0 : 1)

/** One process for many files: starting one per file costs more than the tests. */
async function run(group) {
  const reporter = ['--test-reporter=./scripts/test-reporter.js', '--test-reporter-destination=stdout']
  const child = spawn(process.execPath, ['--enable-source-maps', ...reporter, 'scripts/test-all.js', ...group], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CHROMIUM: browser ?? '' },
  })
  const exited = once(child, 'exit')
  // Failures as they are told. The last line has the counts, which come together at the end.
  let last = ''
  for await (const part of child.stdout.setEncoding('utf8')) {
    last += part
    const ended = last.lastIndexOf('\n', last.length - 2) + 1
    process.stdout.write(last.slice(0, ended))
    last = last.slice(ended)
  }
  const counts = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\n$/.exec(last)
  if (counts === null) process.stdout.write(last)
  const [status] = await exited
  return { status: counts === null ? 1 : status, counts: counts ?? [] }
}
