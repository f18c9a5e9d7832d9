/** `got` and its pagination, loaded from the folder that the environment variable GOT names: it is no dependency of ours. */
import { pathToFileURL } from 'node:url'
import { changedByHand, pathsOf, type ReadRecord, serve, type Take } from './read-jobs.ts'
import type { Job } from './workloads.ts'

type Response = { readonly body: { readonly data: ReadRecord[] } }
type Pagination = {
  readonly transform: (response: Response) => (ReadRecord | null)[]
  readonly filter: (given: { item: ReadRecord | null }) => boolean
  readonly paginate: (given: { response: Response }) => object | false
}
type Options = { readonly searchParams: object; readonly responseType: 'json'; readonly pagination: Pagination }
type Got = { readonly paginate: (url: string, options: Options) => AsyncIterable<ReadRecord> }

const { got } = (await import(pathToFileURL(String(process.env['GOT'])).href)) as { got: Got }

async function read(job: Job, take: Take): Promise<void> {
  const { url, pageSize: limit } = job
  for (const part of pathsOf(job)) {
    let offset = 0
    const records = got.paginate(url + part, {
      searchParams: { ...job.parameters, offset, limit },
      responseType: 'json',
      pagination: {
        transform: ({ body }) => body.data.map((record) => changedByHand(job, record)),
        filter: ({ item }) => item !== null,
        paginate: ({ response }) => {
          if (response.body.data.length < limit) return false
          offset += limit
          return { searchParams: { ...job.parameters, offset, limit } }
        },
      },
    })
    for await (const record of records) take(record)
  }
}

await serve(read)
