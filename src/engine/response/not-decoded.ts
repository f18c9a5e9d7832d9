/** What decoders throw → the error a user meets: whose answer, which format, what is wrong with it and where. */
import { ConnectorError } from '../../std/errors.ts'
import type { DecoderPlan } from '../plan/decoder.ts'
import { theAnswerOf, visible } from './decode.ts'
import { FormatError } from './formats/item-parser.ts'
import type { HttpResponse } from './http-response.ts'

export function notDecoded(plan: DecoderPlan, response: HttpResponse, cause: unknown): unknown {
  if (cause instanceof FormatError) {
    const code = cause.isTooLarge ? 'response/too-large' : 'response/not-decodable'
    const message = `${theAnswerOf(response)} cannot be read as ${nameOf(plan)}: ${visible(cause.message)}.`
    return new ConnectorError(code, message, { cause })
  }
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (!code.startsWith('Z_')) return cause
  return code === 'Z_BUF_ERROR'
    ? new ConnectorError('response/cut-short', `${theAnswerOf(response)} ends in the middle of a packed file.`, {
        cause,
      })
    : new ConnectorError('response/not-decodable', `${theAnswerOf(response)} holds a packed file that is damaged.`, {
        cause,
      })
}

const names = {
  json: 'JSON',
  xml: 'XML',
  'json-lines': 'JSON Lines',
  'json-items': 'JSON',
  csv: 'CSV',
  lines: 'lines of text',
  custom: 'its own format',
} as const

/** `zip of gzip of CSV` */
function nameOf(plan: DecoderPlan): string {
  return 'inner' in plan ? `${plan.kind} of ${nameOf(plan.inner)}` : names[plan.kind]
}
