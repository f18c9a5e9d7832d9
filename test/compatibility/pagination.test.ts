/** Every recorded exchange is replayed: the same requests in the same order, the same record ids, or a listed difference. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadManifest, type Page, readPages } from '../../src/index.ts'
import { someOf } from '../helpers/proof.ts'
import { type Case, differenceOf, differences, type Outcome, type Run } from './differences.ts'
import { placeholder, type RecordedRequest, type ReplayServer, startReplay } from './replay.ts'

const folder = process.env.TURNLEAF_VECTORS ?? 'test/vectors'
const file = `${folder}/pagination.json`
const now = () => Date.UTC(2026, 0, 2, 3, 4, 5)

test('recorded pagination exchanges agree', async () => {
  assert.ok(existsSync(file), `${file} is missing`)
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] }
  await using server = await startReplay()
  const failures: string[] = []
  const counted = new Map<string, number>()
  let agreed = 0

  for (const recorded of process.env.TURNLEAF_VECTORS === undefined ? someOf(cases) : cases) {
    for (const run of recorded.runs) {
      const outcome = await replay(server, recorded, run)
      const disagreement = compare(run, outcome)
      if (disagreement === null) {
        agreed++
        continue
      }
      const difference = differenceOf(recorded, run, outcome)
      if (difference !== null) counted.set(difference, (counted.get(difference) ?? 0) + 1)
      else failures.push(`case ${recorded.id} (${recorded.family}), size ${run.size}: ${disagreement}`)
    }
  }

  if (process.env.TURNLEAF_VECTORS)
    console.log({ agreed, differences: Object.fromEntries(counted), failed: failures.length })
  assert.equal(
    failures.length,
    0,
    `${failures.length} runs disagree:\n${failures.slice(0, Number(process.env.TURNLEAF_SHOW ?? 40)).join('\n')}`,
  )
  assert.ok(agreed > 0)
})

async function replay(server: ReplayServer, recorded: Case, run: Run): Promise<Outcome> {
  server.play(run.exchanges)
  const { manifest, config } = JSON.parse(
    JSON.stringify({ manifest: recorded.manifest, config: recorded.config }).replaceAll(placeholder, server.url),
  ) as Pick<Case, 'manifest' | 'config'>
  const pages: Page[] = []
  let error: string | null = null
  try {
    const options = { config, prefetch: 'off', now, retry: { maxRetries: 0 } } as const
    for await (const page of readPages(loadManifest(manifest), options)) pages.push(page)
  } catch (thrown) {
    error = String((thrown as { code?: string }).code ?? thrown) + ': ' + (thrown as Error).message
  }
  return { asked: server.asked(), ids: pages.flatMap((page) => page.records.map((record) => record.id ?? null)), error }
}

function compare(run: Run, { asked, ids, error }: Outcome): string | null {
  const isEndless = run.stopped_by_mock_after !== undefined
  const shouldFail = run.error !== undefined || isEndless
  if (shouldFail !== (error !== null))
    return error === null ? `should fail (${run.error?.internal ?? 'endless'})` : `failed: ${error}`
  const expected = run.exchanges.map(({ request }) => request)
  for (const [index, request] of (isEndless ? asked.slice(0, expected.length) : asked).entries()) {
    const difference = requestDifference(expected[index], request)
    if (difference !== null) return `request ${index + 1}: ${difference}`
  }
  if (isEndless) return null
  if (asked.length !== expected.length) return `${asked.length} requests instead of ${expected.length}`
  return JSON.stringify(ids) === JSON.stringify(run.ids)
    ? null
    : `ids ${JSON.stringify(ids)} instead of ${JSON.stringify(run.ids)}`
}

function requestDifference(expected: RecordedRequest | undefined, actual: RecordedRequest): string | null {
  if (expected === undefined) return 'was not recorded'
  const shape = ({ method, path, query, headers, body }: RecordedRequest) =>
    JSON.stringify({ method, path: decodeURI(path), query, headers: sorted(headers), body })
  return shape(expected) === shape(actual) ? null : `${shape(actual)} instead of ${shape(expected)}`
}

function sorted(headers: Record<string, string> | undefined) {
  const named = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
  return named
    .filter(([name]) => name !== 'transfer-encoding')
    .map(([name, value]) => [name, value.trim()] as const)
    .toSorted(([one], [other]) => one.localeCompare(other))
}

test('every deliberate difference is explained in docs/compatibility.md', () => {
  const rows = new Set(readFileSync('docs/compatibility.md', 'utf8').match(/(?<=^\| )[a-z-]+(?= \|)/gm))
  assert.deepEqual(
    differences.map(({ name }) => name).filter((name) => !rows.has(name)),
    [],
  )
})
