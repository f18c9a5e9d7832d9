/** Where we differ from the recorded engine on purpose; each name is a row of docs/compatibility.md. */
import type { Exchange, RecordedRequest } from './replay.ts'

export type Run = {
  size: number
  exchanges: Exchange[]
  ids: unknown[]
  error?: { class: string; message: string; internal?: string }
  stopped_by_mock_after?: number
  states?: Record<string, unknown>[]
}

type Retriever = {
  paginator?: { page_token_option?: { type?: string }; pagination_strategy?: { cursor_value?: string } }
  record_selector: { record_filter?: unknown; extractor: { field_path: string[] } }
}

export type Case = {
  id: number
  family: string
  manifest: { streams: { retriever: Retriever }[] }
  config: Record<string, unknown>
  runs: Run[]
}

export type Outcome = { asked: readonly RecordedRequest[]; ids: unknown[]; error: string | null }

type Difference = { name: string; shows: (recorded: Case, run: Run, outcome: Outcome) => boolean }

const retrieverOf = ({ manifest }: Case) => manifest.streams[0]?.retriever
const cursorOf = (recorded: Case) => retrieverOf(recorded)?.paginator?.pagination_strategy?.cursor_value ?? ''
const isByLink = (recorded: Case) => retrieverOf(recorded)?.paginator?.page_token_option?.type === 'RequestPath'
const failedWith =
  (code: string) =>
  (_recorded: Case, _run: Run, { error }: Outcome) =>
    error?.startsWith(code) ?? false

/** Names and values of the recorded request that differs first from ours. */
function firstDiffering({ exchanges }: Run, { asked }: Outcome): [RecordedRequest, RecordedRequest] | null {
  const index = exchanges.findIndex(
    ({ request }, at) =>
      JSON.stringify([request.path, request.query]) !== JSON.stringify([asked[at]?.path, asked[at]?.query]),
  )
  const [theirs, ours] = [exchanges[index]?.request, asked[index]]
  return theirs === undefined || ours === undefined ? null : [theirs, ours]
}

/** Whether ours ended with the page whose cursor Airbyte stumbled over, and brought the same records until there. */
function endsWhereTheirsFails(run: Run, { asked, ids, error }: Outcome): boolean {
  if (error !== null || JSON.stringify(ids) !== JSON.stringify(run.ids.slice(0, ids.length))) return false
  if (run.stopped_by_mock_after === undefined) return asked.length === run.exchanges.length
  // It sent the template's own text as the cursor, and the page after ours was requested with it.
  return /\{\{|%7B%7B/.test(JSON.stringify(run.exchanges[asked.length]?.request))
}

export const differences: readonly Difference[] = [
  {
    name: 'missing-cursor',
    shows: (recorded, run, outcome) =>
      cursorOf(recorded) !== '' &&
      (run.stopped_by_mock_after !== undefined || /has no (attribute|element)/.test(run.error?.internal ?? '')) &&
      endsWhereTheirsFails(run, outcome),
  },
  {
    name: 'template-type-error',
    shows: (recorded, run, outcome) =>
      failedWith('template/wrong-type')(recorded, run, outcome) && /\{\{|%7B%7B/.test(JSON.stringify(run.exchanges)),
  },
  { name: 'fractional-page-size', shows: failedWith('plan/invalid-page-size') },
  { name: 'object-as-parameter', shows: failedWith('request/invalid-parameter') },
  { name: 'header-names', shows: failedWith('request/invalid-header') },
  {
    name: 'header-case',
    shows: (recorded, run, { asked }) =>
      cursorOf(recorded).includes('headers') && run.exchanges.length === 1 && asked.length > 1,
  },
  {
    name: 'link-parameters',
    shows: (recorded, run, outcome) => {
      const [theirs, ours] = firstDiffering(run, outcome) ?? []
      if (!isByLink(recorded) || theirs === undefined || ours === undefined || theirs.path !== ours.path) return false
      return (
        theirs.query.length > ours.query.length &&
        new Set(theirs.query.map(([name]) => name)).size < theirs.query.length
      )
    },
  },
  {
    name: 'relative-link',
    shows: (recorded, run, outcome) => {
      const [theirs, ours] = firstDiffering(run, outcome) ?? []
      return isByLink(recorded) && theirs !== undefined && theirs.path !== ours?.path
    },
  },
  {
    name: 'last-record-before-filter',
    shows: (recorded) =>
      cursorOf(recorded).includes('last_record') && retrieverOf(recorded)?.record_selector.record_filter !== undefined,
  },
  {
    name: 'wildcard-lists',
    shows: (recorded, run, { error }) => {
      const path = retrieverOf(recorded)?.record_selector.extractor.field_path ?? []
      return (
        path.indexOf('*') !== -1 && path.at(-1) !== '*' && run.error !== undefined && !error?.startsWith('records/')
      )
    },
  },
]

/** The name of the deliberate difference that a run shows which does not agree, or null. */
export function differenceOf(recorded: Case, run: Run, outcome: Outcome): string | null {
  return differences.find(({ shows }) => shows(recorded, run, outcome))?.name ?? null
}
