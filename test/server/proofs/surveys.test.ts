import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { SurveyEvent } from '../../../src/server/wire/survey.ts'
import { offsetManifest } from '../../builder/panel-story.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { testApi } from '../api.ts'
import { endOf, eventsFrom } from './ask.ts'

const api = testApi()
after(() => api[Symbol.dispose]())

const resultsIn = (events: readonly SurveyEvent[]) =>
  events.flatMap((event) => (event.kind === 'result' ? [event.result] : []))

describe('a survey', () => {
  test('sends the outcome of each fault, without requests to the API of the manifest', async () => {
    await using server = await serveApi({ '*': () => ({ json: { data: [] } }) })
    const text = offsetManifest(server.url, { items: { pageSize: 5 } })
    const events = await eventsFrom<SurveyEvent>(api, '/v1/surveys', { text, stream: 'items' })
    assert.equal(endOf(events).problem, null)
    const results = resultsIn(events)
    const faults = results.map(({ fault }) => fault)
    assert.ok(faults.includes('capped-size') && faults.includes('cycle') && faults.includes('html'))
    assert.equal(new Set(faults).size, faults.length)
    assert.equal(results.find(({ fault }) => fault === 'html')?.outcome, 'reports')
    assert.ok(results.every(({ does, says }) => does !== '' && says !== ''))
    assert.deepEqual(server.asked, [])
  })

  test('works where only public addresses may be reached: its API is its own', async () => {
    using closed = testApi({ egress: 'public-only' })
    const text = offsetManifest('https://api.test', { items: { pageSize: 5 } })
    const events = await eventsFrom<SurveyEvent>(closed, '/v1/surveys', { text, stream: 'items' })
    assert.equal(endOf(events).problem, null)
    assert.ok(resultsIn(events).length > 10)
  })

  test('of a stream that is not there ends with the problem', async () => {
    const text = offsetManifest('https://api.test', { items: {} })
    const { problem } = endOf(await eventsFrom<SurveyEvent>(api, '/v1/surveys', { text, stream: 'others' }))
    assert.equal(problem?.code, 'manifest/unknown-stream')
  })
})
