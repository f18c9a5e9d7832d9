/** The request and response types of the lab, and those of its dialects. */
import type { RequestMemory, Hooks } from './faults/fault.ts'
import type { Dataset } from './records.ts'

export type LabRequest = {
  method: string
  /** Without the query: `/offset`. */
  path: string
  query: URLSearchParams
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: string
  /** Records per dataset when the query does not say; 250 when absent. */
  size?: number
  /** Whether a request is new; when absent, every request is. */
  isFirstTime?: (question: string) => boolean
}

/** A request that has found its dialect. */
export type Question = {
  /** The whole path, `/secure/…` and `/faults/…` included: next links keep these prefixes. */
  path: string
  /** Where absolute links start: `http://127.0.0.1:8082`. */
  origin: string
  query: URLSearchParams
  headers: Readonly<Record<string, string>>
  body: string
  dataset: Dataset
  /** The value of `{…}` in the path of the dialect. */
  placeholder: string | undefined
  /** What goes wrong; empty when nothing does. */
  hooks: Hooks
  asked: RequestMemory
}

/** What a dialect answers; the body becomes JSON. `page` is the requested page, from 0. */
export type DialectResponse = { body: unknown; headers?: Record<string, string>; page: number }

/** A request that the lab refuses: the status, and which field to correct. */
export class Refusal extends Error {
  readonly status: number
  readonly field: string | undefined
  readonly headers: Record<string, string>

  constructor(status: number, message: string, details: { field?: string; headers?: Record<string, string> } = {}) {
    super(message)
    this.status = status
    this.field = details.field
    this.headers = details.headers ?? {}
  }
}
