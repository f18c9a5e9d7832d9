/** A thread of its own: checks large manifests, which takes up to seconds, while the server serves others. */
import { parentPort } from 'node:worker_threads'
import { ConnectorError } from '../std/errors.ts'
import { parseJson, stringifyJson } from '../std/json.ts'
import { summaryOf } from './connectors/summary.ts'
import { openInspection } from './inspection/inspect.ts'
import type { ManifestJob, ManifestReply } from './large-manifests.ts'

const inspect = openInspection()

async function replyTo(job: ManifestJob): Promise<ManifestReply> {
  try {
    const result = job.kind === 'inspect' ? await inspect(job.request, job.folder) : summaryOf(job.text)
    return { result: stringifyJson(result) }
  } catch (error) {
    return error instanceof ConnectorError ? { failure: error.toJSON() } : { crash: String(error) }
  }
}

// Jobs are JSON text, too: numbers with all their digits would not come through as they are.
parentPort?.on('message', async (job: string) => {
  parentPort?.postMessage(await replyTo(parseJson(job).value as ManifestJob))
})
