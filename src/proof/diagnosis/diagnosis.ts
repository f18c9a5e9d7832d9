/** What is wrong with how a stream turns its pages: named, shown, and mended where the manifest can diagnoseAndFix it. */
import type { Probe } from '../probe.ts'
import type { StreamProof } from '../receipts/receipt.ts'
import type { FindingCode } from './finding-codes.ts'

export type Diagnosis = {
  readonly stream: string
  /** Of the read that was looked at; null where not even a first page came. */
  readonly proof: StreamProof | null
  /** Why the read ended with an error; null when it did not. */
  readonly error: { readonly code: string; readonly message: string; readonly hint: string } | null
  /** Whether the read was cut at the limit of pages, so that what is behind it was not seen. */
  readonly isCut: boolean
  /** The most telling one first; empty where nothing is wrong as far as can be seen. */
  readonly findings: readonly Finding[]
  /** Requests that were sent besides the read. */
  readonly probes: readonly Probe[]
}

export type Finding = {
  readonly code: FindingCode
  /** Whose fault it is: what the manifest says can be changed, what the API does only be lived with. */
  readonly fault: 'manifest' | 'api'
  /** One sentence, with the values that were met. */
  readonly says: string
  readonly evidence: readonly Evidence[]
  /** Null where no change of the manifest would help. */
  readonly fix: Fix | null
  /** What to do where there is no fix, or beside it. */
  readonly advice: string
}

export type Evidence = {
  /** `Pages 2 and 3 begin with the same record, id 101.` */
  readonly says: string
  /** Pages of the read, from 1. */
  readonly pages: readonly number[]
}

/** Made through references, as fields of the builder are: `src/document/` knows how. */
export type Fix = {
  /** `Set page_size to 100.` */
  readonly says: string
  readonly edits: readonly ManifestEdit[]
  /** What the changed manifest reads to its end, or up to the limit of a re-test, which it then names. */
  readonly retest: Retest | null
}

/** `value` undefined takes out what stands there. The path goes through the resolved manifest: `['streams', 0, 'retriever', …]`. */
export type ManifestEdit = { readonly path: readonly (string | number)[]; readonly value?: unknown }

export type Retest = {
  readonly isMended: boolean
  readonly proof: StreamProof | null
  /** In words: `250 records in 3 pages, complete`. */
  readonly says: string
}
