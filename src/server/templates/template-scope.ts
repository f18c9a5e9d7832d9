/** A captured page, a config and further names → what a template may use. */
import { cursorScope } from '../../engine/pagination/next-page.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { tokenValue } from '../../engine/request/page-token.ts'
import { sliceForTemplates } from '../../engine/slices/slice.ts'
import { scopeOf } from '../../engine/template/evaluate-template.ts'
import type { Scope } from '../../engine/template/template.ts'
import type { CapturedPage, OpenCapture } from '../test-reads/captures.ts'

export type Captured = { readonly read: OpenCapture; readonly page: CapturedPage }

/** Names of every place together: a playground shows them all. The config holds no secrets. */
export function templateScope(captured: Captured | null, config: Config, context: Config = {}): Scope {
  const named = scopeOf(context)
  if (captured === null) return { config, parameters: {}, ...named }
  const { page, read } = captured
  const { plan } = read.stream
  const { pagination, requester } = plan
  const parameters = { ...requester.parameters, ...(pagination.kind !== 'none' && pagination.parameters) }
  const { answer, receivedCount, slice, next } = page
  return {
    ...slice.extra,
    ...cursorScope({ ...answer, receivedCount }, { config, parameters, streamName: plan.name }),
    stream_slice: sliceForTemplates(slice),
    next_page_token: next === null ? null : { next_page_token: tokenValue(next) },
    record: page.records[0] ?? null,
    ...named,
  }
}
