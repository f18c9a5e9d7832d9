/** What the templates of a filter or a transformation see. */
import type { Config, JsonRecord } from '../plan/plan.ts'
import type { Scope } from '../template/template.ts'

/** The same for all records of a page. */
export type PageScope = {
  readonly config: Config
  readonly stream_slice: unknown
  readonly next_page_token: null
}

/** Every member by name, once per record and template: V8 takes much longer for `{ ...shared, record }`. */
export function scopeOfRecord(shared: PageScope, parameters: unknown, record: JsonRecord): Scope {
  const { config, stream_slice, next_page_token } = shared
  return { config, parameters, stream_slice, next_page_token, record }
}
