/** What is wrong with the pagination of a stream: findings, their evidence, and fixes where the manifest can be changed. */
import type { Probe } from '../probe.ts'
import type { StreamProof } from '../receipts/receipt.ts'
import type { FindingCode } from './finding-codes.ts'

export type Diagnosis = {
  readonly stream: string
  /** The proof of the diagnosed read; null where no page was received. */
  readonly proof: StreamProof | null
  /** Why the read ended with an error; null when it did not. */
  readonly error: { readonly code: string; readonly message: string; readonly hint: string } | null
  /** Whether the read stopped at the page limit, so that later pages were not seen. */
  readonly isCut: boolean
  /** The most important first; empty where nothing wrong was found. */
  readonly findings: readonly Finding[]
  /** Requests that were sent in addition to the read. */
  readonly probes: readonly Probe[]
}

export type Finding = {
  readonly code: FindingCode
  /** Where the fault is: a manifest can be changed, an API cannot. */
  readonly fault: 'manifest' | 'api'
  /** One sentence, with the observed values. */
  readonly says: string
  readonly evidence: readonly Evidence[]
  /** Null where no change of the manifest would help. */
  readonly fix: Fix | null
  /** What to do where there is no fix, or in addition to it. */
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
  /** What the changed manifest reads, to its end or up to the page limit of the re-test. */
  readonly retest: Retest | null
}

/** Without a `value`, what is there is removed. The path goes through the resolved manifest: `['streams', 0, 'retriever', …]`. */
export type ManifestEdit = { readonly path: readonly (string | number)[]; readonly value?: unknown }

export type Retest = {
  /** Whether the change helps: nothing that was read with it contradicts that. */
  readonly isFixed: boolean
  /** @deprecated Use `isFixed`. */
  readonly isMended: boolean
  readonly proof: StreamProof | null
  /** In words: `250 records in 3 pages, complete`. */
  readonly says: string
}
