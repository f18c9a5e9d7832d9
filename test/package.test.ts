/** What npm would publish: it runs with what it declares, installs nothing else, and its types are whole. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { test } from 'node:test'
import { parseSync } from 'rolldown/utils'
import { hints } from '../src/std/errors.ts'
import { queueSchemaVersion } from '../src/workers/pg-boss.ts'
import { manifestOf } from './helpers/manifests.ts'

type Lock = { packages: Record<string, { dev?: boolean; hasInstallScript?: boolean }> }

const { dependencies, peerDependencies, devDependencies, scripts } = JSON.parse(
  readFileSync('package.json', 'utf8'),
) as {
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
  devDependencies: Record<string, string>
  scripts: Record<string, string>
}

const shipped = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((file) => !file.startsWith('builder'))

test('what dist imports is its own, of Node, or a dependency; and each dependency is imported', () => {
  const outside = new Set<string>()
  for (const file of shipped.filter((one) => one.endsWith('.js'))) {
    const { module } = parseSync(file, readFileSync(join('dist', file), 'utf8'))
    const stated = module.staticImports.map(({ moduleRequest }) => moduleRequest.value)
    const dynamic = [...readFileSync(join('dist', file), 'utf8').matchAll(/\bimport\("([^"]+)"\)/g)].map(
      ([, name = '']) => name,
    )
    for (const name of [...stated, ...dynamic]) if (!name.startsWith('.') && !isBuiltin(name)) outside.add(name)
  }
  const declared = Object.keys({ ...dependencies, ...peerDependencies })
  assert.deepEqual([...outside].toSorted(), declared.toSorted())
})

test('importing loads neither undici nor the modules of Node that only some reads need', () => {
  const seen = new Set<string>()
  const follow = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    if (isBuiltin(file)) return
    const { module } = parseSync(file, readFileSync(file, 'utf8'))
    for (const { moduleRequest } of module.staticImports) {
      follow(isBuiltin(moduleRequest.value) ? moduleRequest.value : join(dirname(file), moduleRequest.value))
    }
  }
  follow('dist/index.js')
  follow('dist/engine/index.js')
  const large = [...seen].filter((file) => /^node:(crypto|zlib|dns|stream|net|http|tls)|undici|libraries/.test(file))
  assert.deepEqual(large, [])
})

test('libraries that few programs need are loaded when they are first used', () => {
  const manifest = manifestOf({ spec: { type: 'object', required: ['key'] } })
  const program = `
    import { createRequire } from 'node:module'
    import { basename } from 'node:path'
    import { evaluateTemplate, loadManifest, planStream } from ${JSON.stringify(resolve('dist/index.js'))}
    const steps = []
    const note = (result) => steps.push([result, ...Object.keys(createRequire(import.meta.url).cache).map((file) => basename(file))])
    note(evaluateTemplate('{{ 1 + 1 }}', {}))
    note(evaluateTemplate("{{ 'page=7' | regex_search('page=([0-9]+)') }}", {}))
    try {
      planStream(loadManifest(${JSON.stringify(JSON.stringify(manifest))}), 'items', {})
    } catch (error) {
      note(error.code)
    }
    console.log(JSON.stringify(steps))`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  assert.deepEqual(JSON.parse(output), [[2], [7, 're2js.cjs'], ['plan/missing-config', 're2js.cjs', 'ajv.cjs']])
})

test('the queue of workers is optional; package, lock file, code and hints name one version', () => {
  assert.deepEqual(Object.keys(peerDependencies), ['pg-boss'])
  const version = peerDependencies['pg-boss']
  assert.equal(devDependencies['pg-boss'], version)
  const installed = JSON.parse(readFileSync('node_modules/pg-boss/package.json', 'utf8')) as {
    version: string
    pgboss: { schema: number }
  }
  assert.equal(installed.version, version)
  assert.equal(installed.pgboss.schema, queueSchemaVersion)
  assert.ok(hints['workers/no-queue'].includes(`pg-boss@${version}`))
})

test('nothing that is installed with it has an install script, nor has it one itself', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock
  const scripted = Object.keys(packages).filter((name) => packages[name]?.hasInstallScript && !packages[name].dev)
  assert.deepEqual(scripted, [])
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) assert.equal(scripts[name], undefined)
})

test('no source maps are shipped, and few files of types', () => {
  assert.deepEqual(
    shipped.filter((file) => file.endsWith('.map')),
    [],
  )
  const types = shipped.filter((file) => file.endsWith('.d.ts'))
  assert.ok(types.length >= 2 && types.length <= 4, types.join())
})

test('a program in TypeScript compiles against the types, libraries checked', () => {
  const folder = mkdtempSync(join('node_modules', '.types-'))
  try {
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(resolve('.'), join(folder, 'node_modules/turnleaf'))
    writeFileSync(
      join(folder, 'main.mts'),
      `import { ConnectorError, detect, loadManifest, readRecords, sync } from 'turnleaf'
       import { openNetwork, type Page } from 'turnleaf/engine'
       const manifest = loadManifest('version: 1')
       for await (const record of readRecords(manifest, { stream: 'items', config: {} })) console.log(record.id)
       export const code = (error: unknown) => (error instanceof ConnectorError ? error.code : null)
       export const records = (page: Page): number => page.records.length
       export const all = { detect, sync, close: () => openNetwork().close() }
       // @ts-expect-error: types are there, not \`any\`.
       loadManifest(7)`,
    )
    const options = {
      strict: true,
      module: 'nodenext',
      target: 'es2022',
      skipLibCheck: false,
      noEmit: true,
      types: ['node'],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['main.mts'] }))
    execFileSync('node_modules/.bin/tsc', ['-p', folder], { encoding: 'utf8' })
  } catch (error) {
    assert.fail((error as { stdout?: string }).stdout ?? String(error))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a build that would make the same again leaves dist alone', () => {
  const before = readdirSync('dist/chunks').toSorted()
  const made = readFileSync('dist/.built-from', 'utf8')
  execFileSync(process.execPath, ['scripts/build.js', '--if-stale'])
  assert.deepEqual(readdirSync('dist/chunks').toSorted(), before)
  assert.equal(readFileSync('dist/.built-from', 'utf8'), made)
})
