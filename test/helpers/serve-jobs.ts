/** A server that plays jobs: each follows a script of statuses, then has results to download. */
import { manifestOf, type StreamParts } from './manifests.ts'
import { type Answer, type AskedRequest, type Handler, serveApi, type ServedApi } from './serve-api.ts'

export type JobScript = {
  /** What the job says when it is polled, one word after the other; the last one stays. Jobs beyond the list repeat its end. */
  statuses?: string[][]
  /** Addresses the job names once it is asked; `{url}` is the server's own. */
  targets?: string[]
  /** Answers in place of the usual ones. */
  routes?: Record<string, Handler>
}

export type JobServer = ServedApi & {
  /** The largest number of jobs that were created and had not ended. */
  most: () => number
  /** What happened, with the numbers of jobs: `create 1`, `poll 1`, `abort 1`. */
  steps: string[]
}

export async function serveJobs({ statuses = [['done']], targets, routes = {} }: JobScript = {}): Promise<JobServer> {
  const steps: string[] = []
  const polls: number[] = []
  const running = new Set<number>()
  let most = 0
  let url = ''

  const create = (): Answer => {
    const id = polls.push(0)
    steps.push(`create ${id}`)
    running.add(id)
    most = Math.max(most, running.size)
    return { status: 202, json: { id, status: 'queued' } }
  }
  const poll = (id: number): Answer => {
    const script = statuses[id - 1] ?? statuses.at(-1) ?? []
    const count = (polls[id - 1] ?? 0) + 1
    polls[id - 1] = count
    steps.push(`poll ${id}`)
    const status = script[count - 1] ?? script.at(-1)
    if (status !== 'running') running.delete(id)
    const results = targets?.map((target) => target.replace('{url}', url)) ?? [`${url}/results/${id}`]
    return { json: { id, status, results } }
  }
  const end = (word: string, id: number): Answer => {
    steps.push(`${word} ${id}`)
    running.delete(id)
    return { text: 'gone' }
  }
  const answer = (_query: URLSearchParams, { method, path }: AskedRequest): Answer => {
    const [, kind, id = ''] = path.split('/')
    if (kind === 'results') return { json: [{ from: path }] }
    if (method === 'POST' && path === '/jobs') return create()
    if (method === 'GET') return poll(Number(id))
    return end(method === 'POST' ? 'abort' : 'delete', Number(id))
  }

  const api = await serveApi({ '*': answer, ...routes })
  url = api.url
  return Object.assign(api, { steps, most: () => most })
}

/** A stream read through jobs of that server. */
export function jobManifest(
  url: string,
  { retriever, ...parts }: StreamParts & { root?: Record<string, unknown> } = {},
): Record<string, unknown> {
  const requester = (path: string, http_method = 'GET') => ({
    type: 'HttpRequester',
    url_base: url,
    path,
    http_method,
  })
  const manifest = manifestOf({
    ...parts,
    retriever: {
      type: 'AsyncRetriever',
      requester: undefined,
      creation_requester: requester('/jobs', 'POST'),
      polling_requester: requester("/jobs/{{ creation_response['id'] }}"),
      download_requester: { ...requester(''), url_base: '{{ download_target }}' },
      status_extractor: { type: 'DpathExtractor', field_path: ['status'] },
      status_mapping: {
        type: 'AsyncJobStatusMap',
        running: ['running'],
        completed: ['done'],
        failed: ['failed'],
        timeout: ['expired'],
        skipped: ['empty'],
      },
      download_target_extractor: { type: 'DpathExtractor', field_path: ['results'] },
      ...retriever,
    },
  })
  return { ...manifest, ...parts.root }
}

/** Requesters that end jobs. */
export const enders = (url: string) => ({
  abort_requester: {
    type: 'HttpRequester',
    url_base: url,
    path: "/jobs/{{ creation_response['id'] }}/abort",
    http_method: 'POST',
  },
  delete_requester: {
    type: 'HttpRequester',
    url_base: url,
    path: "/jobs/{{ creation_response['id'] }}",
    http_method: 'DELETE',
  },
})
