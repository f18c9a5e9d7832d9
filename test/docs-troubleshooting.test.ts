/** docs/troubleshooting.md and its examples: each is run against the lab, prints what is shown, and its fix reads everything. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { sayDiagnosis } from '../src/cli/commands/diagnose.ts'
import { loadManifest, readPages } from '../src/index.ts'
import { diagnose } from '../src/proof/diagnosis/diagnose.ts'
import { findingTitles } from '../src/proof/diagnosis/finding-codes.ts'
import { diagnoseAndFix } from '../src/proof/diagnosis/diagnose-and-fix.ts'
import { startLab } from '../src/lab/lab.ts'
import { runCli } from './cli/run-cli.ts'
import { blocksIn, page } from './helpers/docs.ts'
import { type Handler, serveApi } from './helpers/serve-api.ts'
import { type Entry, entriesOf, holdOutput, manifestOf, typedOf } from './helpers/shown-commands.ts'

const name = 'troubleshooting'
const examples = 'test/proof/diagnosis/examples.md'
const origin = 'http://127.0.0.1:8082'
const diagnoses = 'npx turnleaf diagnose --manifest-path orders.yaml'

for (const entry of entriesOf(examples)) {
  const { heading, commands, hasFix } = entry
  test(`an example of docs/troubleshooting.md: ${heading}`, async () => {
    for (const command of commands) {
      await using api = await openApi(entry)
      // Most diagnoses run here: starting a process for each would take longer than all of them.
      const isShort = typedOf(command) === diagnoses && commands.length === 1
      const printed = isShort ? await printDiagnosis(entry, api.url) : await printRun(entry, command, api.url)
      holdOutput(examples, heading, command, stable(printed, api.url))
    }
  })
  if (!hasFix) continue
  test(`an example of docs/troubleshooting.md: ${heading}: fixed, it reads every order once`, async () => {
    await using api = await openApi(entry)
    const { text } = await diagnoseAndFix(manifestOf(examples, entry, api.url))
    await readsAll(text)
  })
}

test('docs/troubleshooting.md has every finding under its title, with its code; its example prints both', () => {
  const parts = page(name).split(/^### /m)
  const shown = readFileSync(examples, 'utf8')
  for (const [code, title] of Object.entries(findingTitles)) {
    assert.ok(
      parts.some((part) => part.startsWith(`${title}\n\n\`${code}\`. `)),
      `${code} is not under ### ${title}`,
    )
    assert.ok(shown.includes(`\n${code}: ${title}`), `${code} has no example`)
  }
})

test('docs/troubleshooting.md quotes its examples', () => {
  const shown = readFileSync(examples, 'utf8')
  const outputs = [...page(name).matchAll(/^```\n(\$ .*?)^```$/gms)].map(([, output = '']) => output)
  assert.equal(outputs.length, 2)
  for (const output of outputs) assert.ok(shown.includes(output), output)
  for (const part of page(name).split(/^### /m)) {
    const title = part.slice(0, part.indexOf('\n'))
    const [example = ''] = shown.split(/^(?=##)/m).filter((one) => one.startsWith(`### ${title}\n`))
    const changes = [...example.matchAll(/^ +\d+ ([-+] .*)$/gm)].map(([, line = '']) => line)
    const [change] = blocksIn(part, 'diff')
    if (change !== undefined) assert.deepEqual(change.trimEnd().split('\n'), [...new Set(changes)], title)
  }
})

test('docs/troubleshooting.md leads from each symptom to a section that is there', () => {
  const anchors = [...page(name).matchAll(/^##+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
  const links = [...page(name).matchAll(/\]\(#([^)]*)\)/g)].map(([, link]) => link)
  assert.deepEqual(
    links.filter((link) => !anchors.includes(link ?? '')),
    [],
  )
  const sections = [...page(name).matchAll(/^## (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
  assert.deepEqual(
    sections.filter((section) => !links.includes(section)),
    [],
  )
})

test('docs/troubleshooting.md names the buttons of the builder as they are called', () => {
  // What a command prints has stars of its own.
  const prose = page(name).replaceAll(/^```[\s\S]*?^```/gm, '')
  for (const [, words = ''] of prose.matchAll(/\*\*([^*]+)\*\*/g)) {
    if (words.endsWith(':')) continue
    assert.ok(page('builder').includes(`**${words}**`), `docs/builder.md has no **${words}**`)
  }
})

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')
}

/** The lab; and where its records are too well-behaved for an example, an API of its own. */
async function openApi({ path }: Entry) {
  if (path === '/parts') return await serveApi({ 'GET /parts': partByPart })
  if (path !== '/by-day') return await startLab({ size: 250 })
  const orders = Array.from({ length: 250 }, (_, index) => ({
    id: index + 1,
    day: `2026-05-${10 + (index - (index % 30)) / 30}`,
  }))
  return await serveApi({
    'GET /by-day': (query) => {
      const since = orders.filter(({ day }) => day >= (query.get('since') ?? ''))
      const limit = Number(query.get('limit'))
      return { json: { data: since.slice(0, limit), has_more: since.length > limit } }
    },
  })
}

/** 250 orders in the first and the last of fifteen parts. */
const partByPart: Handler = (query) => {
  const part = Number(query.get('cursor') ?? 1)
  const ids = part === 1 ? [0, 200] : part === 15 ? [200, 250] : [0, 0]
  const data = Array.from({ length: 250 }, (_, index) => ({ id: index + 1 })).slice(...ids)
  return { json: { data, next: part < 15 ? part + 1 : null } }
}

/** As the command does it, but without waiting: neither for an API that asks for it, nor for one that is slow. */
async function printDiagnosis(entry: Entry, url: string): Promise<string> {
  const text = manifestOf(examples, entry, url)
  // Slow enough that what a busy machine adds makes no page slower than it says.
  const quick = text.replace('pace=600', 'pace=100')
  const began = Date.now()
  const hurried = () => began + (Date.now() - began) * 6
  const diagnosis = await diagnose(quick, { sleep: async () => {}, ...(quick !== text && { now: hurried }) })
  return sayDiagnosis(diagnosis, text)
}

/** What a command says: to programs where it says something to them, otherwise to people. */
async function printRun(entry: Entry, command: string, url: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-troubleshooting-'))
  try {
    if (entry.path !== undefined) await writeFile(join(folder, 'orders.yaml'), manifestOf(examples, entry, url))
    const args = typedOf(command).replace(origin, url).split(' ').slice(2)
    const { stdout, stderr } = await runCli(args, { cwd: folder })
    if (args[0] === 'detect') await readsAll(await readFile(join(folder, 'orders.yaml'), 'utf8'))
    return stdout === '' ? stderr : stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Without what differs each time (progress, ports, times) and what the page leaves out: requests, unchanged lines, the hint of an error. */
function stable(printed: string, url: string): string {
  return stripVTControlCharacters(printed)
    .replaceAll(url, origin)
    .replaceAll(`localhost:${new URL(url).port}`, 'localhost:8082')
    .replace(/^Syncing .*?\n\n(?=stream )/s, '…\n')
    .replace(/\n\d+ additional requests?\n.*/s, '')
    .replaceAll(/^ {4} {0,4}\d+(?: {3}.*)?\n| {10}…\n/gm, '')
    .replace(/^ {2}try {2}\S.*\n/m, '')
    .replace(/^ +request .*\n(?:\d+ .*\n)+\n/m, '')
    .replaceAll(/(the slowest|Page \d took) \d+/g, '$1 …')
}

/** Each of the 250 orders, and none twice. */
async function readsAll(text: string): Promise<void> {
  const ids: unknown[] = []
  for await (const { records } of readPages(loadManifest(text))) ids.push(...records.map(({ id }) => id))
  assert.deepEqual([ids.length, new Set(ids).size], [250, 250])
}
