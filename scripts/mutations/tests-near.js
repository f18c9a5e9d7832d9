/** The imports of build/ → for a source, the test files that reach it: those first that are likely to notice, and quick. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseSync } from 'rolldown/utils'

/** What each test file took, in the last run of `npm test` on this machine. */
const seconds = JSON.parse(
  readFileSync(
    ['node_modules/.cache/turnleaf/test-times.json', 'scripts/test-times.json'].find((file) => existsSync(file)),
    'utf8',
  ),
)

/** @returns {(source: string) => string[]} e.g. src/sync/reading.ts → ['build/test/sync/reading.test.js', …] */
export function testsNear(root) {
  const imports = new Map(
    readdirSync(join(root, 'build'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .map((file) => join('build', file))
      .map((file) => [file, importsOf(root, file)]),
  )
  addPrograms(root, imports)
  const reached = new Map()
  for (const file of imports.keys()) if (file.endsWith('.test.js')) reached.set(file, stepsFrom(file, imports))
  return (source) => {
    const made = join('build', source.replace(/\.ts$/, '.js'))
    return [...reached]
      .filter(([, steps]) => steps.has(made))
      .map(([file, steps]) => ({ file, cost: costOf(file, made, steps.get(made)) }))
      .toSorted((one, other) => one.cost - other.cost)
      .map(({ file }) => file)
  }
}

/** Small for a test that is likely to notice, and soon. Where most of a long test is waiting, a near one is still the better bet. */
function costOf(test, source, steps) {
  const isNamesake = basename(test, '.test.js') === basename(source, '.js')
  const took = seconds[test.slice('build/test/'.length)] ?? 1
  const chance = 8 ** foldersShared(test, source) * (isNamesake ? 8 : 1) * 0.7 ** steps
  return Math.sqrt(took + 0.5) / chance
}

/** build/test/sync/gate.test.js and build/src/sync/gate.js → 1. */
function foldersShared(test, source) {
  const [one, other] = [test, source].map((file) => dirname(file).split('/').slice(2))
  const until = one.findIndex((folder, index) => folder !== other[index])
  return until === -1 ? one.length : until
}

function importsOf(root, file) {
  const text = readFileSync(join(root, file), 'utf8')
  const { module } = parseSync(file, text)
  return (
    module.staticImports
      .map(({ moduleRequest }) => moduleRequest.value)
      // Destinations are loaded when they are asked for: the request is the literal with its quotes.
      .concat(module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)))
      .concat(module.staticExports.flatMap(({ entries }) => entries.map((one) => one.moduleRequest?.value ?? '')))
      .filter((path) => path.startsWith('.'))
      .map((path) => join(dirname(file), path))
  )
}

/** A file that none imports is a program: whatever in its folder names it, starts it. */
function addPrograms(root, imports) {
  const imported = new Set([...imports.values()].flat())
  const programs = [...imports.keys()].filter((file) => file.startsWith('build/src/') && !imported.has(file))
  for (const program of programs) {
    for (const [file, its] of imports) {
      if (dirname(file) !== dirname(program) || file === program) continue
      if (readFileSync(join(root, file), 'utf8').includes(`/${basename(program, '.js')}.`)) its.push(program)
    }
  }
}

/** Each file that is loaded with this one → how many imports away it is. */
function stepsFrom(file, imports) {
  const steps = new Map([[file, 0]])
  for (const [at, step] of steps) {
    for (const next of imports.get(at) ?? []) if (!steps.has(next)) steps.set(next, step + 1)
  }
  return steps
}
