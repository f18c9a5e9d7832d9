/** Facts → llms.txt: where an agent starts reading. */
import type { SiteFacts } from '../facts.ts'
import type { DocSection, DocSet } from '../docs/doc-set.ts'
import { skillPath, skillsPath } from './agent-skills.ts'
import { catalogPath } from './api-catalog.ts'
import { openApiPath } from './openapi.ts'
import { probePath } from './payment-required.ts'
import { mcpPath, wellKnownCardPath } from './server-card.ts'

export function llms({ baseUrl, apiUrl, version }: SiteFacts, docs: DocSet): string {
  return `# Turnleaf

> Turnleaf reads every page of any HTTP API from one declarative manifest, reports whether every record arrived, and runs the low-code manifests of the Airbyte ecosystem as they are. Free, MIT license, version ${version}.

Start it with \`npm ci && npm start\`; test it with \`npm ci && npm test\`. Node 20.19 or newer.

\`GET ${baseUrl}${probePath}\` is a payment probe: it always answers 402 and never charges. Do not pay it; everything here is free.

## Read

- [Homepage as markdown](${baseUrl}/index.md): what Turnleaf does, and how to start it.
- [Homepage](${baseUrl}/): the same, for people; answers markdown to \`Accept: text/markdown\`.
- [Documentation](${baseUrl}/docs/index.md): the list of all pages, as markdown.
- [All documentation as one text](${baseUrl}/llms-full.txt): every page, in reading order.

${docs.sections.map((section) => sectionText(section, baseUrl)).join('\n\n')}

## Skills

- [Build, test and diagnose a connector](${baseUrl}${skillPath}): the whole job, command by command.
- [Index of skills](${baseUrl}${skillsPath}): Agent Skills Discovery 0.2.0, with digests.

## MCP

- [Card of the MCP server](${baseUrl}${wellKnownCardPath}): tools to build, test, diagnose and sync connectors, over streamable HTTP at \`${mcpPath}\` of the API; \`npx turnleaf mcp\` serves the same over stdio.

## APIs

- [API catalog](${baseUrl}${catalogPath}): RFC 9727 linkset of everything published here.
- [Description of the API](${apiUrl}/openapi.json): OpenAPI 3.1 of the data plane at ${apiUrl}.
- [Health of the API](${apiUrl}/health): \`{"status":"ok"}\` while it runs.
- [Description of this site](${baseUrl}${openApiPath}): OpenAPI 3.1 of homepage, catalog and probe.

## Optional

- [robots.txt](${baseUrl}/robots.txt): who may read what.
- [security.txt](${baseUrl}/.well-known/security.txt): where to report a weakness.
`
}

/** Markdown of each page, which agents read best. */
function sectionText({ title, entries }: DocSection, baseUrl: string): string {
  const lines = entries.map((entry) => {
    const [path = '', anchor] = entry.url.split('#')
    const place = `${baseUrl}${path}.md${anchor === undefined ? '' : `#${anchor}`}`
    return `- [${entry.title}](${place}): ${entry.note === '' ? entry.title : entry.note}`
  })
  return `## ${title}\n\n${lines.join('\n')}`
}
