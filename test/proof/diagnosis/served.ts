/** A server that answers as a test says, and a stream of it diagnosed. */
import { diagnose, type DiagnoseOptions } from '../../../src/proof/diagnosis/diagnose.ts'
import type { Diagnosis } from '../../../src/proof/diagnosis/diagnosis.ts'
import { manifestOf, type StreamParts } from '../../helpers/manifests.ts'
import { type Handler, serveApi } from '../../helpers/serve-api.ts'

export type Served = Diagnosis & { readonly asked: readonly string[] }

/** One handler for `/items`, or several routes. */
export async function diagnoseServed(
  answer: Handler | Record<string, Handler>,
  parts: StreamParts,
  options: DiagnoseOptions = {},
): Promise<Served> {
  await using api = await serveApi(typeof answer === 'function' ? { 'GET /items': answer } : answer)
  const text = JSON.stringify(manifestOf({ ...parts, url: api.url }), null, 2)
  const diagnosis = await diagnose(text, { sleep: async () => {}, ...options })
  return { ...diagnosis, asked: api.asked }
}

export const records = (count: number, from = 1) => Array.from({ length: count }, (_, index) => ({ id: from + index }))

export const keyed = { stream: { primary_key: 'id' } }
