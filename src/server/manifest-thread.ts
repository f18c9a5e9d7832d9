/** A thread of its own: checks large manifests and imports descriptions, which takes up to seconds, while the server serves others. */
import { parentPort } from 'node:worker_threads'
import { ConnectorError } from '../std/errors.ts'
import { parseJson, stringifyJson } from '../std/json.ts'
import { summaryOf } from './connectors/summary.ts'
import { openInspection } from './inspection/inspect.ts'
import type { ManifestJob, ManifestReply } from './large-manifests.ts'

const inspect = openInspection()

async function resultOf(job: ManifestJob): Promise<unknown> {
  switch (job.kind) {
    case 'inspect':
      return inspect(job.request, job.folder)
    case 'summarize':
      return summaryOf(job.text)
    case 'import':
      return (await import('./imports/import-text.ts')).importText(job)
  }
}

async function replyTo(job: ManifestJob): Promise<ManifestReply> {
  try {
    return { result: stringifyJson(await resultOf(job)) }
  } catch (error) {
    return error instanceof ConnectorError ? { failure: error.toJSON() } : { crash: String(error) }
  }
}

// Jobs are JSON text, too: numbers with all their digits would not come through as they are.
parentPort?.on('message', async (job: string) => {
  parentPort?.postMessage(await replyTo(parseJson(job).value as ManifestJob))
})
