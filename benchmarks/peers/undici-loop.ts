/** The shortest program that does the job: `undici`, `JSON.parse`, one request at a time until a page is short. */
import { Pool } from 'undici'
import { changedByHand, pathsOf, type ReadRecord, serve, type Take } from './read-jobs.ts'
import type { Job } from './workloads.ts'

async function read(job: Job, take: Take): Promise<void> {
  const { url, pageSize } = job
  const pool = new Pool(url, { connections: 1 })
  const parameters = new URLSearchParams(job.parameters).toString()
  for (const part of pathsOf(job)) {
    for (let offset = 0; ; offset += pageSize) {
      const path = `${part}?${parameters}&offset=${offset}&limit=${pageSize}`
      const { body } = await pool.request({ method: 'GET', path })
      const { data } = JSON.parse(await body.text()) as { data: ReadRecord[] }
      for (const one of data) {
        const record = changedByHand(job, one)
        if (record !== null) take(record)
      }
      if (data.length < pageSize) break
    }
  }
  await pool.close()
}

await serve(read)
