/** An answer of the mirror → what an API with a fault sends in its place. */
import type { LabResponse, Refusal } from '../exchange.ts'
import type { Hooks } from '../faults/fault.ts'
import type { Answer } from '../mirror/asked.ts'
import { bytesOf } from '../mirror/encode.ts'

/** `page` counts from 0. */
export function respondedWith({ respond }: Hooks, answer: Answer, page: number): Answer {
  if (respond === undefined) return answer
  // One character a byte: the hook may cut what is compressed, too.
  const body = Buffer.from(bytesOf(answer.body)).toString('latin1')
  const response: LabResponse = { status: 200, headers: { ...answer.headers }, body, delayMs: 0 }
  const sent = respond(response, page)
  const headers = Object.entries(sent.headers).map(([name, value]) => [name.toLowerCase(), value])
  return {
    status: sent.status,
    headers: Object.fromEntries(headers),
    body: Buffer.from(sent.body, 'latin1'),
    isSlow: sent.paceMs !== undefined,
  }
}

export function refusedWith({ status, message, headers }: Refusal): Answer {
  return { status, headers, body: { error: { message } } }
}
