import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { applyEdits } from '../../../src/proof/diagnosis/apply-edits.ts'
import { startLab } from '../../../src/lab/lab.ts'
import type { DiagnosisEvent } from '../../../src/server/wire/diagnosis.ts'
import { offsetManifest } from '../../builder/panel-story.ts'
import { manifestOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { testApi } from '../api.ts'
import { endOf as readEndOf, readEvents } from '../test-reads/ask.ts'
import { endOf, eventsFrom } from './ask.ts'

const api = testApi()
after(() => api[Symbol.dispose]())
const lab = await startLab({ size: 250 })
after(() => lab.close())

const config = { api_key: 'a-key-that-nobody-sees' }
const text = offsetManifest(lab.url, {
  capped: { path: '/faults/capped-size/offset', pageSize: 500 },
  healthy: { path: '/offset', pageSize: 100 },
})

async function diagnoseStream(stream: string) {
  const events = await eventsFrom<DiagnosisEvent>(api, '/v1/diagnoses', { text, config, stream })
  return { events, ...endOf(events) }
}

describe('a diagnosis', () => {
  test('sends its pages and probes as they happen, and ends with what is wrong', async () => {
    const { events, diagnosis, problem } = await diagnoseStream('capped')
    assert.equal(problem, null)
    assert.equal(events.find(({ kind }) => kind !== 'waiting')?.kind, 'page')
    const probes = events.flatMap((event) => (event.kind === 'probe' ? [event.probe] : []))
    assert.deepEqual(probes, diagnosis?.probes)
    assert.ok(probes.length > 0)
    const [finding] = diagnosis?.findings ?? []
    assert.equal(finding?.code, 'missing/page-size-capped')
    assert.equal(finding?.title, 'The API sends smaller pages than requested')
    assert.equal(finding?.fix?.retest?.isFixed, true)
    // The earlier name, for one more version.
    assert.equal(finding?.fix?.retest?.isMended, true)
  })

  test('has a change that, applied, reads every record', async () => {
    const { diagnosis } = await diagnoseStream('capped')
    const fixed = applyEdits(text, diagnosis?.findings[0]?.fix?.edits ?? [])
    assert.notEqual(fixed, text)
    const end = readEndOf(await readEvents(api, { text: fixed, config, stream: 'capped', maxPages: 100 }))
    assert.deepEqual([end.verdict, end.emitted], ['complete', 250])
  })

  test('of a healthy stream finds nothing, and says what it looked at', async () => {
    const { diagnosis } = await diagnoseStream('healthy')
    assert.deepEqual(diagnosis?.findings, [])
    assert.deepEqual([diagnosis?.proof?.verdict, diagnosis?.proof?.received], ['complete', 250])
  })

  test('of a text that is no manifest ends with the problem, and where it is', async () => {
    const { diagnosis, problem } = endOf(
      await eventsFrom<DiagnosisEvent>(api, '/v1/diagnoses', { text: 'streams: 1', stream: 'items' }),
    )
    assert.equal(diagnosis, null)
    assert.match(problem?.code ?? '', /^manifest\//)
  })

  test('shows no secret, although the API repeats it in its responses, links and errors', async () => {
    const secret = 'pa55-w0rd-of-the-shop'
    await using server = await serveApi({
      '*': (query, { headers }) =>
        query.has('offset')
          ? { status: 400, json: { error: `bad key ${String(headers['x-api-key'])}` } }
          : { json: { data: [{ id: 1, key: secret }], next: `/offset?key=${secret}`, total: 9 } },
    })
    const broken = offsetManifest(server.url, { items: { pageSize: 1 } })
    const events = await eventsFrom<DiagnosisEvent>(api, '/v1/diagnoses', {
      text: broken,
      config: { api_key: secret },
      stream: 'items',
    })
    assert.ok(endOf(events).diagnosis)
    assert.ok(!JSON.stringify(events).includes(secret))
  })

  test('reaches no address of this machine where only public ones may be reached', async () => {
    using closed = testApi({ egress: 'public-only' })
    const events = await eventsFrom<DiagnosisEvent>(closed, '/v1/diagnoses', {
      text: JSON.stringify(manifestOf({ url: lab.url })),
      stream: 'items',
    })
    const { diagnosis, problem } = endOf(events)
    assert.equal(diagnosis?.error?.code ?? problem?.code, 'response/address-refused')
  })
})
