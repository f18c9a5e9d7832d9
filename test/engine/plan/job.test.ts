import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobLimitOf } from '../../../src/engine/plan/job.ts'
import { loadManifest, planStream } from '../../../src/index.ts'
import { hasCode } from '../response/asking.ts'
import { jobManifest } from '../../helpers/serve-jobs.ts'

const planned = (retriever: Record<string, unknown>, config = {}) =>
  planStream(loadManifest(jobManifest('https://api.test', { retriever })), 'items', config).job

test('defaults: an hour for a job, no wait of its own before another try', () => {
  const job = planned({})
  assert.equal(job?.timeoutMs, 3_600_000)
  assert.equal(job?.retryWaitMs, null)
  assert.deepEqual([job?.list, job?.abort, job?.delete], [null, null, null])
})

test('minutes and seconds may come from the config; 0 means the default', () => {
  const retriever = {
    polling_job_timeout: "{{ config.get('minutes', 0) }}",
    failed_retry_wait_time_in_seconds: "{{ config['seconds'] }}",
  }
  const job = planned(retriever, { minutes: 5, seconds: '90' })
  assert.deepEqual([job?.timeoutMs, job?.retryWaitMs], [300_000, 90_000])
  assert.equal(planned(retriever, { seconds: 0 })?.timeoutMs, 3_600_000)
})

test('a status with two meanings is refused, and named', () => {
  const status_mapping = { running: ['busy'], completed: ['done'], failed: ['busy'], timeout: [] }
  assert.throws(
    () => planned({ status_mapping }),
    (error) => hasCode('manifest/invalid-value')(error) && /`busy`.*running and failed/.test(String(error)),
  )
})

test('a requester of targets without an extractor is refused', () => {
  const download_target_requester = { type: 'HttpRequester', url_base: 'https://api.test', http_method: 'GET' }
  assert.throws(
    () => planned({ download_target_requester, download_target_extractor: undefined }),
    hasCode('manifest/missing-field'),
  )
})

test('a plan prints as JSON', () => {
  assert.match(JSON.stringify(planned({})), /"meanings":\{"running":"running","done":"completed"/)
})

for (const [given, limit] of [
  [undefined, 1],
  [3, 3],
  ["{{ config.get('jobs', 10) }}", 10],
  [0, 1],
  [-4, 1],
  ['{{ config.nothing }}', 1],
  ['many', 1],
] as const) {
  test(`max_concurrent_async_job_count ${given} allows ${limit}`, () => {
    const root = given === undefined ? {} : { max_concurrent_async_job_count: given }
    assert.equal(jobLimitOf(loadManifest(jobManifest('https://api.test', { root })), {}), limit)
  })
}
