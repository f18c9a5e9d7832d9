/** Addresses and version → every fact of the homepage, once. Both representations are rendered from this. */
import type { SiteFacts } from '../facts.ts'
import { differences, type Differences } from './content-differences.ts'
import { peers, type Peers } from './content-peers.ts'
import { methodsContent, type ShownMethods, read, type ShownRead, type Section } from './content-methods.ts'

export type Link = { readonly url: string; readonly label: string; readonly type: string; readonly says: string }

export type Homepage = Differences & {
  readonly name: string
  readonly headline: string
  readonly summary: string
  /** For search results: what the page is about, in one line. */
  readonly description: string
  readonly commands: readonly { readonly does: string; readonly command: string }[]
  readonly commandsNote: string
  readonly read: ShownRead
  readonly methods: ShownMethods
  readonly peers: Peers
  readonly typescript: Section & { readonly code: string; readonly note: string }
  readonly agents: Section & { readonly command: string; readonly links: readonly Link[] }
  readonly next: Section & { readonly steps: readonly { readonly title: string; readonly text: string }[] }
  readonly docs: Section & { readonly files: readonly { readonly path: string; readonly says: string }[] }
  readonly free: string
  readonly release: string
}

const code = `import { readFile } from 'node:fs/promises'
import { loadManifest, readRecords } from 'turnleaf'
const manifest = loadManifest(await readFile('manifest.yaml', 'utf8'))
const orders = readRecords(manifest, { stream: 'orders', config: {} })
for await (const order of orders) console.log(order.id)`

export function contentOf({ baseUrl, apiUrl, version }: SiteFacts): Homepage {
  return {
    ...differences,
    name: 'Turnleaf',
    headline: 'Every record of any HTTP API, in your tables.',
    summary:
      'Describe an API once, in a browser or in one YAML file. Turnleaf reads every page, writes the records to tables, and reports whether all of them arrived.',
    description:
      'Turnleaf reads every record of any HTTP API into DuckDB, Parquet, JSONL or Postgres, from one YAML file. It resumes after a stop, and proves completeness.',
    commands: [
      { does: 'See it work', command: 'npm ci && npm start' },
      { does: 'Run every test', command: 'npm ci && npm test' },
    ],
    commandsNote:
      'In a checkout, with Node 20.19 or newer. No account, no key, no server: the records are written to a DuckDB file, and the builder opens.',
    read,
    methods: methodsContent,
    peers,
    typescript: {
      id: 'typescript',
      title: 'Five lines of TypeScript',
      lead: 'Records arrive one by one, in page order. The next page is already on its way while you work on this one.',
      code,
      note: '`readPages` gives whole pages instead: the request, the response with secrets hidden, the records and, last, the receipt.',
    },
    agents: {
      id: 'agents',
      title: 'For agents',
      lead: 'This address returns markdown on request, with the same facts. The rest is found through standards.',
      command: `curl -H 'Accept: text/markdown' ${baseUrl}/`,
      links: [
        { url: `${baseUrl}/index.md`, label: '/index.md', type: 'text/markdown', says: 'This page as markdown.' },
        {
          url: `${baseUrl}/llms.txt`,
          label: '/llms.txt',
          type: 'text/plain',
          says: 'What is here, for language models.',
        },
        {
          url: `${baseUrl}/.well-known/api-catalog`,
          label: '/.well-known/api-catalog',
          type: 'application/linkset+json',
          says: 'The API catalog of RFC 9727.',
        },
        {
          url: `${baseUrl}/openapi.json`,
          label: '/openapi.json',
          type: 'OpenAPI 3.1',
          says: 'The description of this site.',
        },
        {
          url: `${baseUrl}/api/x402`,
          label: '/api/x402',
          type: '402, always',
          says: 'The payment probe. It never charges: the amount is 0, and no payment is taken.',
        },
        {
          url: apiUrl,
          label: apiUrl,
          type: 'API',
          says: 'The builder and its API have a separate address.',
        },
      ],
    },
    next: {
      id: 'next',
      title: 'What comes next',
      lead: 'Not here yet, so not claimed above.',
      steps: [
        {
          title: 'Import',
          text: 'A connector from the OpenAPI description of an API, with its pagination confirmed by a few requests.',
        },
      ],
    },
    docs: {
      id: 'docs',
      title: 'Documentation',
      lead: 'In the repository: get started, guides, reference, how it works.',
      files: [
        { path: 'README.md', says: 'what it is, and where to start' },
        { path: 'docs/README.md', says: 'all documentation: get started, guides, reference, how it works' },
        { path: 'docs/get-started.md', says: 'from a URL and a token to Postgres, every hour' },
        { path: 'docs/builder.md', says: 'a connector in the browser' },
        { path: 'docs/connectors.md', says: 'running a public connector' },
        { path: 'docs/pagination.md', says: 'every pagination method, by example' },
        { path: 'docs/incremental.md', says: 'requesting only what is new' },
        { path: 'docs/secrets.md', says: 'where secrets go, and where they never appear' },
        { path: 'docs/connections.md', says: 'a connector, its config and its destination in one file' },
        { path: 'docs/schedules.md', says: 'syncs at set times' },
        { path: 'docs/running.md', says: 'from cron, systemd, GitHub Actions, Airflow, Dagster, Kubernetes' },
        { path: 'docs/scale.md', says: 'workers on many machines' },
        { path: 'docs/sync.md', says: 'syncs, and how they resume' },
        { path: 'docs/destinations.md', says: 'where records are written, and custom destinations' },
        { path: 'docs/troubleshooting.md', says: 'from a symptom to its fix' },
        { path: 'docs/past-the-end.md', says: 'APIs that refuse the page past the end' },
        { path: 'docs/lists-of-strings.md', says: 'APIs that send strings instead of objects' },
        { path: 'docs/custom-classes.md', says: 'TypeScript for what a manifest cannot express' },
        { path: 'docs/cli.md', says: 'the command line' },
        { path: 'docs/templates.md', says: 'templates' },
        { path: 'docs/errors.md', says: 'every error and what to do' },
        { path: 'docs/api.md', says: 'the API of the builder' },
        { path: 'docs/mcp.md', says: 'connectors made by an AI assistant, over MCP' },
        { path: 'docs/library.md', says: 'the library' },
        { path: 'docs/discovery.md', says: 'this site, for people and programs' },
        { path: 'docs/reliability.md', says: 'what a sync survives, measured' },
        { path: 'docs/compatibility.md', says: 'every difference from Airbyte, with its reason' },
        { path: 'benchmarks/README.md', says: 'how speed is measured' },
        { path: 'ARCHITECTURE.md', says: 'the glossary, the flow and the folders' },
      ],
    },
    free: 'This page and everything it describes is free.',
    release: `Version ${version}, MIT license.`,
  }
}
