/** The result of detection: how the pages of a URL follow each other. */
import type { Probe } from '../probe.ts'

export type DetectionRequest = {
  readonly url: string
  /** POST where a body is given, otherwise GET. */
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  /** JSON, sent with every probe; paging values are put into it. */
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
}

export type Detection = {
  /** `cannot-tell` where nothing was shown, or where two explanations fit equally well. */
  readonly answer: 'paginated' | 'not-paginated' | 'cannot-tell'
  /** One sentence for people. */
  readonly says: string
  /** Where the records are; null when no list was found. */
  readonly recordPath: readonly string[] | null
  /** The best first. Empty without evidence for any. */
  readonly candidates: readonly Candidate[]
  readonly probes: readonly Probe[]
  /** The best candidate as a manifest, YAML; null where there is none to rely on. */
  readonly manifest: string | null
}

export type Candidate = {
  readonly method: 'offset' | 'page' | 'cursor' | 'next-url' | 'link-header' | 'start-after' | 'none'
  /** `Page number from 1 in the query parameter page, 100 a page` */
  readonly says: string
  /** `shown`: a probe answered as only this explains. `likely`: it fits all that was seen. `possible`: by its name alone. */
  readonly confidence: 'shown' | 'likely' | 'possible'
  readonly evidence: readonly string[]
  /** As a manifest has it; null for no pagination. */
  readonly paginator: Readonly<Record<string, unknown>> | null
  readonly facts: CandidateFacts
  /** Where no option of a paginator can put the token: a template of the request does. */
  readonly template?: Templated
  /** Query parameters that the API refuses next to the token or in a next URL: only the first request has them. */
  readonly firstOnly?: readonly string[]
  /** Paging values of the given request, left out: a manifest that kept them would start on another page. */
  readonly without?: readonly { readonly into: CandidatePlacement['into']; readonly path: readonly string[] }[]
}

/** `text`: the template. `fromEnd`: which part of the path it replaces, 0 for the last. */
export type Templated =
  | { readonly into: 'path'; readonly fromEnd: number; readonly text: string }
  | { readonly into: 'request_parameter'; readonly name: string; readonly text: string }
  /** Gives the whole query; fixed parameters become part of the path. `names`: those that were seen. */
  | { readonly into: 'request_parameters'; readonly names: readonly string[]; readonly text: string }

export type CandidateFacts = {
  /** Where the token goes: query parameter, header, path of names in the body; null where a whole URL is followed. */
  readonly token: CandidatePlacement | null
  readonly size: CandidatePlacement | null
  /** The first page's number; null where pages are not numbered. */
  readonly firstPage: number | null
  /** Records on a page as the manifest asks for them. */
  readonly pageSize: number | null
  /** The API's maximum page size, where one was observed. */
  readonly sizeCap: number | null
  /** Where the cursor or link is: `meta.next_cursor`, `header x-next-cursor`. */
  readonly cursorAt: string | null
  /** In words: when pagination stops. */
  readonly stops: string
}

export type CandidatePlacement = {
  readonly into: 'request_parameter' | 'header' | 'body_json' | 'body_data' | 'path'
  /** In the path, the part of it from the end: 0 is the last. */
  readonly name: string
}
