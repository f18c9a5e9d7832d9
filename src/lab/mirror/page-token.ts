/** An answer → what the engine will take for the token of the next page. */
import { headersForTemplates } from '../../engine/pagination/link-header.ts'
import { isTruthy, pythonText } from '../../engine/template/text.ts'
import { parametersOf, textIn } from './components.ts'
import { evaluate } from './evaluate.ts'
import type { Paging } from './paging.ts'

export type ShownPage = {
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly records: readonly unknown[]
}

/** Empty where the engine stops. Throws where it would. */
export function tokenOf(paging: Paging, { body, headers, records }: ShownPage): string {
  const { strategy, config, isLink } = paging
  if (strategy?.type !== 'CursorPagination') return ''
  const scope = {
    config,
    parameters: parametersOf(strategy),
    response: Array.isArray(body) ? ((body[0] as unknown) ?? {}) : body,
    headers: headersForTemplates(headers),
    last_page_size: records.length,
    last_record: records.at(-1) ?? null,
    last_records: records,
  }
  const stop = textIn(strategy, 'stop_condition')
  if (stop !== '' && evaluate(stop, scope, 'boolean') === true) return ''
  const token = evaluate(textIn(strategy, 'cursor_value'), scope)
  if (!isTruthy(token)) return ''
  if (isLink && !isAddress(pythonText(token))) throw new Error('not an address')
  return pythonText(token)
}

function isAddress(token: string): boolean {
  return /^(?:https?:|\/|\?|[\w-]+[/?])/.test(token)
}
