/**
 * Compiles src, test and examples to build/, then runs every test file in one process.
 * `npm test -- pagination` runs only the files whose path contains "pagination".
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
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

const tested = spawnSync(
  process.execPath,
  [
    '--enable-source-maps',
    '--test-reporter=./scripts/test-reporter.js',
    '--test-reporter-destination=stdout',
    'scripts/test-all.js',
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', env: { ...process.env, CHROMIUM: chromium() ?? '' } },
)
process.exit(tested.status ?? 1)
