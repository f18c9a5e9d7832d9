/** What makes it different, with the text it really prints. test/site/homepage.test.ts holds it to the source. */

/** A heading, the anchor that leads to it, and the sentences under it. Backticks mark code. */
export type Section = { readonly id: string; readonly title: string; readonly lead: string }

export type Figure = { readonly value: string; readonly label: string }

export type Point = { readonly title: string; readonly text: string }

export type ShownFinding = {
  readonly code: string
  readonly title: string
  readonly says: string
  readonly fix: string
  readonly retest: string
}

export type ShownFailure = {
  readonly code: string
  readonly message: string
  readonly at: string
  readonly try: string
}

export type Differences = {
  readonly receipt: Section & {
    readonly columns: readonly string[]
    readonly rows: readonly (readonly string[])[]
    readonly prevents: readonly Point[]
    readonly note: string
  }
  readonly diagnosis: Section & {
    readonly failure: ShownFailure
    readonly command: string
    readonly finding: ShownFinding
    readonly note: string
  }
  readonly manifests: Section & { readonly figures: readonly Figure[]; readonly note: string }
  readonly speed: Section & { readonly note: string }
}

export const differences: Differences = {
  receipt: {
    id: 'verdict',
    title: 'Every stream ends with a verdict',
    lead: 'Silence is not success. Turnleaf compares what the API claims with what arrived, and says which it is: complete, not verified, incomplete or duplicated.',
    columns: ['stream', 'records', 'pages', 'verdict'],
    rows: [
      ['offset', '250', '3', 'complete (total 250)'],
      ['page', '250', '3', 'complete (3 of 3 pages)'],
      ['cursor', '250', '3', 'complete (the last page names no next page)'],
      ['calendar', '250', '11', 'not verified: the API reports no total'],
    ],
    prevents: [
      {
        title: 'No half tables',
        text: 'With `turnleaf sync --require complete`, a full refresh that is not proven complete does not replace your table.',
      },
      {
        title: 'No endless loops',
        text: 'An API that ignores the paging parameter or goes in circles is noticed and stopped, and the pages are named.',
      },
      {
        title: 'No lost progress',
        text: 'Records and checkpoints are committed in one transaction: killed at any moment, the sync resumes after the last page.',
      },
      {
        title: 'No silent changes',
        text: 'Filters never end a read, keys never follow a link to another host, and long integers keep every digit.',
      },
    ],
    note: 'Four of the 23 streams that `npm start` reads from its sample API into DuckDB; Postgres, Parquet and JSONL work the same.',
  },
  diagnosis: {
    id: 'diagnosis',
    title: 'Problems come with their fix',
    lead: 'Endless loops, missing pages, duplicate records: each has a name, the pages that show it, and a change of the manifest that is tested before it is proposed. In the builder it is one click.',
    failure: {
      code: 'pagination/loop',
      message: 'Stream "orders" does not end: pages 2 to 4 repeat page 1, though the requests differ.',
      at: '/streams/0  shop.yaml:5:5',
      try: 'Check the name and the place of the page token: the API responds as if it did not read it.',
    },
    command: 'npx turnleaf diagnose --manifest-path manifest.yaml --stream orders --fix',
    finding: {
      code: 'missing/page-size-capped',
      title: 'The API sends smaller pages than requested',
      says: '100 records were requested, the API sends 50, and the short page is mistaken for the last one.',
      fix: 'Set page_size to 50.',
      retest: '250 records in 6 pages, complete',
    },
    note: '`turnleaf lab --survey manifest.yaml` does the reverse: it makes an API misbehave in eighteen ways and reports which of them your connector survives.',
  },
  manifests: {
    id: 'manifests',
    title: 'From a URL, or from a public manifest',
    lead: '`turnleaf detect URL` finds out how an API paginates, with a few polite requests. Manifests written for Airbyte’s low-code engine are read unchanged.',
    figures: [
      { value: '448', label: 'of 460 random APIs are read completely with the manifest that detection wrote' },
      { value: '0', label: 'times it was sure and wrong, with 12 requests at most' },
      { value: '332', label: 'public manifests load' },
      { value: '4,477', label: 'of 4,745 recorded reads are identical; the other 268 differ on purpose' },
    ],
    note: '`docs/compatibility.md` lists each difference with its reason.',
  },
  speed: {
    id: 'speed',
    title: 'Fast where APIs are slow',
    lead: 'Where pages are counted, Turnleaf requests up to sixteen at a time and hands them out in order. A bare `undici` loop does nothing but fetch and parse; Turnleaf also plans, signs, counts, guards and redacts. Memory stays flat from 1,000 to 10,000 pages.',
    note: 'The same pages of the same local server, read in turn, each reader in a process of its own. Every reader gave every record once.',
  },
}
