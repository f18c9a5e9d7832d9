/** What makes it different, with the text it really prints. test/site/homepage.test.ts holds it to the source. */
import type { ShownRequestLine, Section } from './content-methods.ts'

export type Figure = { readonly value: string; readonly label: string }

export type ShownFinding = {
  readonly code: string
  readonly title: string
  readonly says: string
  readonly fix: string
  readonly retest: string
}

export type Differences = {
  readonly loop: Section & {
    readonly pages: readonly ShownRequestLine[]
    readonly failure: { readonly code: string; readonly message: string; readonly at: string; readonly try: string }
  }
  readonly receipt: Section & {
    readonly columns: readonly string[]
    readonly rows: readonly (readonly string[])[]
    readonly total: string
    readonly receipt: string
    readonly note: string
  }
  readonly diagnosis: Section & { readonly command: string; readonly finding: ShownFinding; readonly note: string }
  readonly detection: Section & { readonly command: string; readonly figures: readonly Figure[]; readonly note: string }
  readonly landing: Section & {
    readonly places: readonly { readonly title: string; readonly text: string }[]
    readonly query: string
    readonly note: string
  }
  readonly rules: Section & { readonly rules: readonly { readonly title: string; readonly text: string }[] }
  readonly manifests: Section & {
    readonly figures: readonly Figure[]
    /** Parts of the whole, as the picture shows them. */
    readonly reads: { readonly identical: number; readonly deliberate: number; readonly caption: string }
    readonly note: string
  }
  readonly speed: Section & {
    readonly scale: string
    readonly bars: readonly { readonly label: string; readonly value: string; readonly ratio: number }[]
    readonly figures: readonly Figure[]
    readonly note: string
  }
}

export const differences: Differences = {
  loop: {
    id: 'loop',
    title: 'Endless loops are stopped',
    lead: 'Some APIs ignore the paging parameter, repeat a token or go in circles. Turnleaf notices, stops, and names the pages. A scroll API that keeps one token but returns new records is read on.',
    pages: [
      { request: '/orders', marked: '', records: 'records 1–100' },
      { request: '/orders?start=100', marked: 'start=100', records: 'records 1–100, again' },
      { request: '/orders?start=200', marked: 'start=200', records: 'records 1–100, again' },
      { request: '/orders?start=300', marked: 'start=300', records: 'records 1–100, again' },
    ],
    failure: {
      code: 'pagination/loop',
      message: 'Stream "orders" does not end: pages 2 to 4 repeat page 1, though the requests differ.',
      at: '/streams/0  shop.yaml:5:5',
      try: 'Check the name and the place of the page token: the API responds as if it did not read it.',
    },
  },
  receipt: {
    id: 'receipt',
    title: 'Every stream reports whether it is complete',
    lead: 'Silence is not success. Each stream ends with a stop reason, its counts, and a verdict: what the API claims, compared with what arrived.',
    columns: ['stream', 'records', 'pages', 'verdict'],
    rows: [
      ['offset', '250', '3', 'complete (total 250)'],
      ['page', '250', '3', 'complete (3 of 3 pages)'],
      ['cursor', '250', '3', 'complete (the last page names no next page)'],
      ['calendar', '250', '11', 'not verified: the API reports no total'],
    ],
    total: 'Four of the 23 streams that `npm start` reads from its sample API.',
    receipt: 'turnleaf sync … --require complete',
    note: 'With this option, a stream that is not proven complete makes the exit code 1. `turnleaf runs` lists the receipts of past syncs.',
  },
  diagnosis: {
    id: 'diagnosis',
    title: 'Diagnoses problems and fixes them',
    lead: 'Endless loops, missing pages, duplicate records, a first request that fails: each problem has a name, the pages that show it, and a change of the manifest that is tested before it is proposed.',
    command: 'turnleaf diagnose --manifest-path manifest.yaml --stream orders --fix',
    finding: {
      code: 'missing/page-size-capped',
      title: 'The API sends smaller pages than requested',
      says: '100 records were requested, the API sends 50, and the short page is mistaken for the last one.',
      fix: 'Set page_size to 50.',
      retest: '250 records in 6 pages, complete',
    },
    note: 'In the builder it is one click. `turnleaf lab --survey manifest.yaml` does the reverse: it makes an API misbehave in eighteen ways and reports which of them your connector survives.',
  },
  detection: {
    id: 'detection',
    title: 'From a URL to a manifest',
    lead: 'A few polite requests instead of a guess at names: which parameter moves the first record, whether pages count from 0 or 1, how large a page may be, what follows the last page.',
    command: 'turnleaf detect URL --write manifest.yaml',
    figures: [
      { value: '448', label: 'of 460 random APIs are read completely with the manifest it wrote' },
      { value: '0', label: 'times it was sure and wrong' },
      { value: '12', label: 'requests at most' },
    ],
    note: 'Where it cannot detect the method, it reports what it tried.',
  },
  landing: {
    id: 'landing',
    title: 'Killed at any moment, nothing is lost',
    lead: 'Records and checkpoints are committed in one transaction of the destination. Run the same command again, and the sync resumes after the last committed page.',
    places: [
      { title: 'DuckDB', text: 'One file, the default. No server to install.' },
      {
        title: 'Postgres',
        text: 'COPY into staging, then published in one transaction. Readers never see half a table.',
      },
      { title: 'Parquet', text: 'A folder of files per table, all with the same columns.' },
      { title: 'JSONL', text: 'One line per record, as the API sent it.' },
    ],
    query: 'SELECT _turnleaf_run, _turnleaf_slice, _turnleaf_page FROM orders WHERE id = 101',
    note: 'A custom destination takes one page of TypeScript; see `docs/destinations.md`. In all of them, every row has the page it came from:',
  },
  rules: {
    id: 'rules',
    title: 'Small rules that keep records',
    lead: 'None of them is a setting. Each prevents a common way to lose data.',
    rules: [
      {
        title: 'Counted before filters',
        text: 'A page is short when the API sent few records, not when a filter dropped them. A filter never ends a read.',
      },
      {
        title: 'Credentials follow the origin, never the link',
        text: 'A next link or a redirect to another host is followed without your key, and reported.',
      },
      {
        title: 'Big integers keep their digits',
        text: '`1540440990000000001` does not come out as `1540440990000000000`. A float stays a float.',
      },
      {
        title: 'A response that makes no sense is an error',
        text: 'A 200 with an HTML page inside is never taken for an empty last page.',
      },
    ],
  },
  manifests: {
    id: 'manifests',
    title: 'Runs public manifests as they are',
    lead: 'Manifests written for Airbyte’s low-code engine are read unchanged. Recorded exchanges of that engine are part of the tests.',
    figures: [
      { value: '332', label: 'public manifests load' },
      { value: '4,477', label: 'of 4,745 recorded reads are identical' },
      { value: '18,618', label: 'template evaluations recorded' },
    ],
    reads: {
      identical: 4477,
      deliberate: 268,
      caption:
        'The other 268 reads differ on purpose, and `docs/compatibility.md` lists each difference with its reason.',
    },
    note: '`turnleaf validate` reports for each stream whether it runs, needs a custom class, or is not supported.',
  },
  speed: {
    id: 'speed',
    title: 'Fast where APIs are slow',
    lead: 'Most APIs take their time. Where pages are counted, Turnleaf requests up to sixteen at a time and hands them out in order. A loop of `undici` and `JSON.parse` does nothing but fetch and parse; Turnleaf also plans, signs, counts, guards and redacts.',
    scale: 'Pages a second, relative, from a server that makes each page when it is requested',
    bars: [
      { label: 'bare loop', value: '1.00', ratio: 1 },
      { label: 'Turnleaf, one request at a time', value: '0.80', ratio: 0.8 },
      { label: 'Turnleaf, pages ahead', value: '0.99', ratio: 0.99 },
    ],
    figures: [
      { value: '13 ×', label: 'the pace of that loop where responses take 100 ms' },
      { value: 'Flat', label: 'memory from 1,000 to 10,000 pages' },
    ],
    note: 'Measured on 2 busy cores. Where the server has its pages ready, as below, the bare loop is further ahead. `npm run bench` measures on yours; see `benchmarks/README.md`.',
  },
}
