/** What Airbyte's engine asked and read through jobs, recorded, and asked and read again by ours. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type JsonRecord, loadManifest, readRecords } from '../../src/index.ts'
import { type Answer, type AskedRequest, serveApi } from '../helpers/serve-api.ts'

/** How the server behaved while it was recorded. */
type Script = {
  /** The status that answers each creation; the last one stays. */
  create?: number[]
  /** For each job, what each poll says: a word of the API, or the status of a refusal. */
  statuses: (string | number)[][]
  targets?: string[]
  isPaged?: boolean
  /** Whether the rows are inside an object. */
  isWrapped?: boolean
}

type Asked = { method: string; path: string; headers?: Record<string, string>; body?: unknown }

type Recording = {
  name: string
  manifest: object
  script: Script
  requests: Asked[]
  records: JsonRecord[]
  fails: boolean
  /** Slices were read side by side: in which order they were asked about is chance. */
  overlaps?: boolean
}

const { cases } = JSON.parse(readFileSync('test/vectors/jobs.json', 'utf8')) as { cases: Recording[] }

for (const { name, manifest, script, requests, records, fails, overlaps } of cases) {
  test(`jobs as Airbyte runs them: ${name}`, async () => {
    await using api = await playing(script)
    const source = JSON.parse(JSON.stringify(manifest).replaceAll('{base}', api.url)) as object
    const read: JsonRecord[] = []
    let hasFailed = false
    try {
      for await (const record of readRecords(loadManifest(source), { sleep: async () => {}, prefetch: 'off' }))
        read.push(record)
    } catch {
      hasFailed = true
    }

    const order = overlaps ? sorted : (list: unknown[]) => list
    assert.equal(hasFailed, fails)
    assert.deepEqual(order(api.requests.map((request, index) => shown(request, api.asked[index]))), order(requests))
    assert.deepEqual(order(read), order(records))
  })
}

/** In the form of the recording. */
function shown({ method, headers, body }: AskedRequest, line = ''): Asked {
  const { authorization, 'x-scope': scope } = headers
  const told = { ...(authorization && { authorization }), ...(typeof scope === 'string' && { 'x-scope': scope }) }
  return {
    method,
    path: line.slice(method.length + 1),
    ...(Object.keys(told).length > 0 && { headers: told }),
    ...(body !== '' && { body: JSON.parse(body) as unknown }),
  }
}

function sorted(list: unknown[]): unknown[] {
  return list.map((one) => JSON.stringify(one)).toSorted()
}

/** The server of the recordings. */
async function playing(script: Script) {
  const polls = new Map<number, number>()
  let created = 0
  let base = ''

  const create = (): Answer => {
    const status = last(script.create ?? [200], created++)
    return status === 200 ? { json: { id: created, token: `t${created}` } } : { status, json: { message: 'no' } }
  }
  const poll = (id: number): Answer => {
    const count = polls.get(id) ?? 0
    polls.set(id, count + 1)
    const status = last(last(script.statuses, id - 1), count)
    if (typeof status === 'number') return { status, json: { message: 'poll' } }
    const urls = (script.targets ?? ['{b}/file/{i}']).map((target) =>
      target.replace('{b}', base).replace('{i}', String(id)),
    )
    const files = [{ href: `${base}/file/${id}/o` }]
    return { json: { id, status, states: [status, 'other'], ready: status === 'done', files, docId: `d${id}`, urls } }
  }
  const file = (path: string, query: URLSearchParams): Answer => {
    const offset = Number(query.get('offset') ?? 0)
    const rows = script.isPaged ? [0, 1, 2].map((n) => ({ f: path, n })).slice(offset, offset + 2) : [{ f: path }]
    return { json: script.isWrapped ? { rows } : rows }
  }
  const api = await serveApi({
    '*': (query, { method, path }) => {
      if (method === 'POST' && path === '/jobs') return create()
      if (path.includes('/list')) return { json: { urls: [`${base}/file/${path.split('/').at(-1)}`] } }
      if (path.includes('/file')) return file(path, query)
      if (path.includes('/poll')) return poll(Number(query.get('token')?.slice(1)))
      return path.startsWith('/jobs/') ? poll(Number(path.slice('/jobs/'.length))) : { json: { ok: true } }
    },
  })
  base = api.url
  return api
}

function last<T>(list: readonly T[], index: number): T {
  return list[Math.min(index, list.length - 1)] as T
}
