/** Manifests that people run, each stream to its end, against a server that answers as their APIs would. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ConnectorReport, runConnector } from '../../compat/connector.ts'
import { totalsOf } from '../../compat/report.ts'
import type { StreamReport } from '../../compat/run-stream.ts'
import { openAnsweringServer } from '../../src/lab/mirror/server.ts'

const folder = 'test/manifests'

/** Read once for all tests of this file: it takes seconds. */
const reading = (async () => {
  await using server = await openAnsweringServer()
  const reports: ConnectorReport[] = []
  for (const file of readdirSync(folder)) reports.push(await runConnector(server, join(folder, file)))
  return reports
})()

async function streamsWith(wanted: (stream: StreamReport) => boolean): Promise<string[]> {
  const reports = await reading
  return reports.flatMap(({ name, streams }) =>
    streams.filter(wanted).map((stream) => `${name}/${stream.name}: ${stream.reasons.join('; ')}`),
  )
}

test('every manifest loads, and a config made from its spec fits it', async () => {
  const faults = (await reading).filter(({ fault }) => fault !== null)
  assert.deepEqual(faults, [])
})

test('every stream without a class of its own is read to its end', async () => {
  assert.deepEqual(await streamsWith(({ status }) => status === 'fails' || status === 'unsupported'), [])
  const { streams } = totalsOf(await reading)
  assert.ok(streams.runs > 60, `${streams.runs} streams run`)
})

test('a stream that needs a class of its own says which, what for, and what it extends', async () => {
  const { streams } = totalsOf(await reading)
  assert.ok(streams.custom > 10, `${streams.custom} streams say so`)
})

test('every stream that paginates reads more than one page', async () => {
  assert.deepEqual(await streamsWith(({ turnsPages }) => turnsPages === false), [])
})

test('parents are asked before their children', async () => {
  assert.deepEqual(await streamsWith(({ parentsFirst }) => parentsFirst === false), [])
})

test('a second read asks only for what is new', async () => {
  assert.deepEqual(await streamsWith(({ resumes }) => resumes === false), [])
})
