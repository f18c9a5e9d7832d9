/** Addresses and version → every fact of the homepage, once. Both representations are rendered from this. */
import type { DocSection } from '../docs/doc-set.ts'
import type { SiteFacts } from '../facts.ts'
import { differences, type Differences, type Section } from './content-differences.ts'
import { chartText, type PeerChart, type PeerFigures } from './peer-picture.ts'
import { peerFigures } from './peer-figures.ts'

export type Link = {
  readonly url: string
  readonly label: string
  readonly says: string
  /** Shown as code, since following it gives an error: the probe. */
  readonly isNoPage?: boolean
}

export type Homepage = Differences & {
  readonly name: string
  readonly headline: string
  readonly summary: string
  /** For search results: what the page is about, in one line. */
  readonly description: string
  readonly builder: { readonly url: string; readonly label: string; readonly alt: string }
  readonly commands: readonly { readonly does: string; readonly command: string }[]
  readonly commandsNote: string
  readonly peers: Peers
  readonly docs: Section & { readonly sections: readonly DocSection[] }
  readonly agents: Section & { readonly command: string; readonly links: readonly Link[] }
  readonly free: string
  readonly release: string
}

export function contentOf({ baseUrl, apiUrl, version }: SiteFacts, sections: readonly DocSection[]): Homepage {
  return {
    ...differences,
    name: 'Turnleaf',
    headline: 'Every record of any HTTP API, in your tables.',
    summary:
      'Describe an API once, in a browser or in one YAML file. Turnleaf reads every page, writes the records to tables, and reports whether all of them arrived.',
    description:
      'Turnleaf reads every record of any HTTP API into DuckDB, Parquet, JSONL or Postgres, from one YAML file. It resumes after a stop, and proves completeness.',
    builder: {
      url: apiUrl,
      label: 'Open the builder',
      alt: 'The builder: a stream with offset pagination on the left; on the right, its test: three pages on a time axis with their records and tokens, and the receipt with the verdict.',
    },
    commands: [
      { does: 'See it work', command: 'npm ci && npm start' },
      { does: 'Run every test', command: 'npm ci && npm test' },
    ],
    commandsNote: 'In a checkout, with Node 20.19 or newer. No account, no key, no server.',
    peers,
    docs: {
      id: 'docs',
      title: 'Documentation',
      lead: 'Of this version, with search.',
      sections,
    },
    agents: {
      id: 'agents',
      title: 'For agents',
      lead: 'This address returns markdown on request, with the same facts; so does every page of the docs. The rest is found through standards.',
      command: `curl -H 'Accept: text/markdown' ${baseUrl}/`,
      links: [
        { url: `${baseUrl}/index.md`, label: '/index.md', says: 'this page as markdown' },
        { url: `${baseUrl}/llms.txt`, label: '/llms.txt', says: 'what is here, for language models' },
        { url: `${baseUrl}/llms-full.txt`, label: '/llms-full.txt', says: 'all documentation as one text' },
        {
          url: `${baseUrl}/.well-known/agent-skills/index.json`,
          label: '/.well-known/agent-skills',
          says: 'a skill: build, test and diagnose a connector',
        },
        {
          url: `${baseUrl}/.well-known/api-catalog`,
          label: '/.well-known/api-catalog',
          says: 'the API catalog of RFC 9727',
        },
        { url: `${baseUrl}/openapi.json`, label: '/openapi.json', says: 'the description of this site, OpenAPI 3.1' },
        { url: `${apiUrl}/openapi.json`, label: 'API', says: 'the description of the API that the builder uses' },
        {
          url: `${baseUrl}/api/x402`,
          label: '/api/x402',
          isNoPage: true,
          says: 'the payment probe: always 402, the amount is 0, and no payment is taken',
        },
      ],
    },
    free: 'This page and everything it describes is free.',
    release: `Version ${version}, MIT license.`,
  }
}

/** What was measured next to others: two charts, and a table for those who read markdown. */
type Peers = {
  readonly charts: readonly { readonly chart: PeerChart; readonly alt: string }[]
  readonly table: PeerFigures['table']
  readonly note: string
}

const peers: Peers = {
  charts: peerFigures.charts.map((chart) => ({ chart, alt: chartText(chart) })),
  table: peerFigures.table,
  note: `Medians, measured on ${peerFigures.date} on ${peerFigures.machine}: ${peerFigures.versions.join(', ')}. \`npm run bench:peers\` measures it on yours.`,
}
