/** The result of a run → POST to the address that its schedule names. */
import type { Connection } from '../connections/connection.ts'
import { fillReferences } from '../connections/references.ts'
import type { Egress } from '../engine/response/egress.ts'
import { openNetwork } from '../engine/response/send.ts'
import { stringifyJson } from '../std/json.ts'
import { ConnectorError } from '../std/errors.ts'
import { timeText } from './list-schedules.ts'
import type { RunOutcome } from './run-connection.ts'

const longestMs = 10_000

export type WebhookRun = { readonly startedAt: number; readonly endedAt: number; readonly outcome: RunOutcome }

/** What is sent. Receipts hold no secrets. */
export function webhookBody(connection: string, { startedAt, endedAt, outcome }: WebhookRun): object {
  return { connection, startedAt: timeText(startedAt), endedAt: timeText(endedAt), ...outcome }
}

/** Returns why it failed, without the address, which may be a secret; null where it was accepted. One try. */
export async function sendWebhook(
  { folder, locate, schedule }: Connection,
  result: object,
  { egress, signal }: { readonly egress: Egress; readonly signal: AbortSignal },
): Promise<string | null> {
  const written = schedule?.webhook
  if (written === undefined) return null
  const network = openNetwork({
    egress,
    limits: { totalMs: longestMs, headersMs: longestMs, maxBodyBytes: 1024 * 1024 },
  })
  try {
    const url = await fillReferences(written, { folder, locate: () => locate(['schedule', 'webhook']) })
    const headers = { 'content-type': 'application/json' }
    const { status } = await network.send({ method: 'POST', url, headers, body: stringifyJson(result) }, signal)
    return status >= 200 && status < 300 ? null : `it answers with status ${status}`
  } catch (error) {
    return error instanceof ConnectorError ? error.code : 'it cannot be sent'
  } finally {
    await network.close()
  }
}
