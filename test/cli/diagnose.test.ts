/** `turnleaf diagnose`: its output for people and programs, and a file that is fixed atomically. */
import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startLab } from '../../src/lab/lab.ts'
import { broken, labText } from '../proof/diagnosis/lab-case.ts'
import { holdPart } from '../helpers/docs.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { runCli, said, startCli } from './run-cli.ts'

const strategy = 'paginator.pagination_strategy'

/** A folder with a manifest and the config of a lab. */
async function openFolder(text: string, url: string) {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-diagnose-'))
  const manifest = join(folder, 'manifest.yaml')
  const config = join(folder, 'config.json')
  await writeFile(manifest, text)
  await writeFile(config, JSON.stringify({ base_url: url, page_size: 100 }))
  return {
    folder,
    manifest,
    run: (...more: string[]) => runCli(['diagnose', '--manifest-path', manifest, '--config', config, ...more]),
    args: ['diagnose', '--manifest-path', manifest, '--config', config],
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

const capped = broken('page', { [`${strategy}.page_size`]: 5000 })

test('a finding is reported with its evidence, the lines that change, the re-test and every request', async () => {
  await using lab = await startLab({ size: 2500 })
  await using at = await openFolder(capped, lab.url)
  const { code, stdout, stderr } = await at.run('--stream', 'page')
  assert.equal(code, 1)
  assert.match(stdout, /^page: 1 finding; 1,000 records in 1 page; incomplete: the API has 3 pages, read 1/)
  assert.match(stdout, /\nmissing\/page-size-capped: The API sends smaller pages than requested\n/)
  assert.match(stdout, /page 1 +Page 1 has 1,000 records; 5,000 were requested\.\n/)
  assert.match(stdout, /fix {6}Set page_size to 1000\.\n/)
  assert.match(stdout, /\d+ - +page_size: 5000\n +\d+ \+ +page_size: 1000\n/)
  assert.match(stdout, /re-test {2}2,500 records in 3 pages, complete\n/)
  assert.match(stdout, /\n5 additional requests\n {2}GET http:\S+page=1&per_page=500\n/)
  assert.match(stderr, /page 1: 1,000 records/)
  assert.equal(await readFile(at.manifest, 'utf8'), capped)
})

test('--fix changes only the lines it must, leaves no draft, keeps the rights of the file and follows a link to it', async () => {
  await using lab = await startLab({ size: 2500 })
  await using at = await openFolder(capped, lab.url)
  await chmod(at.manifest, 0o640)
  const link = join(at.folder, 'linked.yaml')
  await symlink(at.manifest, link)
  const { code, stdout } = await runCli([...at.args.with(2, link), '--stream', 'page', '--fix'])
  assert.equal(code, 0, stdout)
  assert.match(stdout, /fixed {2}Set page_size to 1000\.\n/)
  assert.match(stdout, /\npage: nothing wrong; 2,500 records in 3 pages; complete: /)
  assert.equal(await readFile(at.manifest, 'utf8'), broken('page', { [`${strategy}.page_size`]: 1000 }, capped))
  assert.equal((await stat(at.manifest)).mode & 0o777, 0o640)
  assert.deepEqual((await readdir(at.folder)).toSorted(), ['config.json', 'linked.yaml', 'manifest.yaml'])
})

test('--fix fixes one fault after the other', async () => {
  await using lab = await startLab({ size: 450 })
  const text = broken('offset', {
    'record_selector.extractor.field_path': ['rows'],
    'paginator.page_token_option.field_name': 'skip',
  })
  await using at = await openFolder(text, lab.url)
  const { code, stdout } = await at.run('--stream', 'offset', '--fix', '--json')
  const { applied, findings } = JSON.parse(stdout) as { applied: { code: string }[]; findings: unknown[] }
  assert.deepEqual(
    applied.map((finding) => finding.code),
    ['missing/record-path', 'missing/token-not-placed'],
  )
  assert.deepEqual(findings, [])
  assert.equal(code, 0)
})

test('what cannot be fixed is reported, and the file is not changed', async () => {
  await using lab = await startLab({ size: 450 })
  const text = broken('offset', { 'requester.path': '/faults/cycle/offset' })
  await using at = await openFolder(text, lab.url)
  const { mtimeMs } = await stat(at.manifest)
  const { code, stdout } = await at.run('--stream', 'offset', '--fix')
  assert.equal(code, 1)
  assert.match(stdout, /never-stops\/cycle: The pages repeat in a cycle \(caused by the API\)\n/)
  assert.equal((await stat(at.manifest)).mtimeMs, mtimeMs)
})

test('a healthy stream ends with 0, and JSON holds the whole diagnosis', async () => {
  await using lab = await startLab({ size: 250 })
  await using at = await openFolder(labText, lab.url)
  const { code, stdout } = await at.run('--stream', 'cursor', '--json')
  assert.equal(code, 0)
  const { stream, proof, error, isCut, findings, probes } = JSON.parse(stdout)
  assert.deepEqual(
    { stream, verdict: proof.verdict, error, isCut, findings, probes },
    { stream: 'cursor', verdict: 'complete', error: null, isCut: false, findings: [], probes: [] },
  )
})

test('limits are kept: pages of the read, additional requests', async () => {
  await using lab = await startLab({ size: 2500 })
  await using at = await openFolder(broken('offset', { 'paginator.page_token_option.field_name': 'skip' }), lab.url)
  const { stdout } = await at.run('--stream', 'offset', '--max-requests', '2', '--max-pages', '2', '--json')
  const { probes } = JSON.parse(stdout) as { probes: unknown[] }
  assert.ok(probes.length <= 2)
})

for (const [what, more, complaint] of [
  ['no stream where there are several', [], /manifest\/unknown-stream/],
  ['a stream that there is not', ['--stream', 'ofset'], /manifest\/unknown-stream/],
  ['a limit that is no number', ['--stream', 'offset', '--max-pages', 'many'], /cli\/arguments/],
] as const) {
  test(`${what} ends with 2`, async () => {
    await using at = await openFolder(labText, 'http://127.0.0.1:9')
    const { code, stderr, stdout } = await at.run(...more)
    assert.equal(code, 2)
    assert.match(stderr, complaint)
    assert.equal(stdout, '')
  })
}

test('a manifest from standard input cannot be fixed in place', async () => {
  const { code, stderr } = await runCli(['diagnose', '--manifest-path', '-', '--fix'], { input: labText })
  assert.equal(code, 2)
  assert.match(stderr, /cli\/arguments: A manifest from standard input cannot be changed\./)
})

test('an interrupt ends the diagnosis, and the manifest is not changed', async () => {
  await using api = await serveApi({ '*': () => new Promise(() => {}) })
  await using at = await openFolder(labText, api.url)
  await using started = startCli([...at.args, '--stream', 'offset', '--fix'])
  while (api.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  started.child.kill('SIGINT')
  assert.match(await said(started.child.stderr, 'not changed'), /Interrupted: the manifest was not changed\./)
  assert.equal(await started.ended, 'SIGINT')
  assert.equal(await readFile(at.manifest, 'utf8'), labText)
})

test('a read-only manifest is left as it is, and the API is not asked', async () => {
  await using api = await serveApi({})
  await using at = await openFolder(labText, api.url)
  await chmod(at.manifest, 0o444)
  const { code, stderr } = await at.run('--stream', 'offset', '--fix')
  assert.equal(code, 2)
  assert.match(stderr, /^cli\/file: .* is read-only and was not changed\./)
  assert.deepEqual(api.asked, [])
})

test('secrets of the config are in nothing that is printed', async () => {
  const secret = 'k3y-of-the-shop'
  await using api = await serveApi({
    '*': (query) => ({ json: { data: [{ id: 1 }, { id: 2 }], total: 9, echo: query.get('api_key') } }),
  })
  await using at = await openFolder(
    broken('secure_key_query', { 'requester.path': '/x', paginator: { type: 'NoPagination' } }),
    api.url,
  )
  await writeFile(join(at.folder, 'config.json'), JSON.stringify({ base_url: api.url, api_key: secret }))
  for (const more of [[], ['--json']]) {
    const { stdout, stderr } = await at.run('--stream', 'secure_key_query', ...more)
    assert.match(stdout, /not-paginated/)
    assert.ok(!`${stdout}${stderr}`.includes(secret))
  }
  assert.ok(api.asked.some((line) => line.includes(secret)))
})

test('docs/cli.md shows what it prints', async () => {
  await using lab = await startLab({ size: 250 })
  const text = broken('page', {
    [`${strategy}.start_from_page`]: 0,
    [`${strategy}.inject_on_first_request`]: undefined,
  })
  await using at = await openFolder(text, lab.url)
  const { stdout } = await at.run('--stream', 'page')
  const printed = stdout.replaceAll(lab.url, 'http://127.0.0.1:8082').trimEnd()
  const command = 'npx turnleaf diagnose --manifest-path shop/manifest.yaml --config config.json --stream page'
  holdPart('cli', 'diagnose', `\n\`\`\`\n$ ${command}\n${printed}\n\`\`\`\n\n`)
})

test('a bad verdict without an explanation is reported, and is no success', async () => {
  await using api = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }, { id: 2 }], total: 9 } }) })
  const text = broken('calendar', {
    'record_selector.extractor.field_path': ['data'],
    [strategy]: { type: 'OffsetIncrement', page_size: 3 },
  })
  await using at = await openFolder(text, api.url)
  const { code, stdout } = await at.run('--stream', 'calendar')
  assert.match(stdout, /^calendar: nothing found; .*incomplete: the API counts 9, received 2/)
  assert.match(stdout, /The cause could not be determined\./)
  assert.equal(code, 1)
})
