/** Content → markdown: for agents, and for anyone who would rather read text. */
import type { DocSection } from '../docs/doc-set.ts'
import type { SiteFacts } from '../facts.ts'
import { frontMatter } from '../front-matter.ts'
import type { Homepage, Link } from './content.ts'
import type { Figure, Point, Section, ShownFailure, ShownFinding } from './content-differences.ts'
import { chartFile } from './peer-picture.ts'
import { pictureFile } from './picture.ts'

export function renderMarkdown(content: Homepage, { baseUrl }: SiteFacts): string {
  const { builder, receipt, diagnosis, manifests, speed, peers, docs, agents } = content
  const blocks = [
    frontMatter({ title: content.name, description: content.description, url: `${baseUrl}/` }),
    `# ${content.name}`,
    `> ${content.headline} ${content.summary}`,
    `An index for language models is at [${baseUrl}/llms.txt](${baseUrl}/llms.txt). The same page as HTML: [${baseUrl}/](${baseUrl}/).`,
    `[${builder.label}](${builder.url}). [Documentation](${baseUrl}/docs/index.md).`,
    `![${builder.alt}](${baseUrl}/pictures/${pictureFile('light')})`,
    ...content.commands.flatMap(({ does, command }) => [`${does}:`, fence('sh', command)]),
    content.commandsNote,

    ...opening(receipt),
    table(receipt.columns, receipt.rows),
    list(receipt.prevents.map(point)),
    receipt.note,

    ...opening(diagnosis),
    fence('text', failure(diagnosis.failure)),
    fence('sh', diagnosis.command),
    fence('text', finding(diagnosis.finding)),
    diagnosis.note,

    ...opening(manifests),
    figures(manifests.figures),
    manifests.note,

    ...opening(speed),
    ...peers.charts.map(({ chart, alt }) => `![${alt}](${baseUrl}/${chartFile(chart, 'light')})`),
    table(peers.table.columns, peers.table.rows),
    speed.note,
    peers.note,

    ...opening(docs),
    ...docs.sections.flatMap((section) => docLinks(section, baseUrl)),

    ...opening(agents),
    fence('sh', agents.command),
    list(agents.links.map(address)),

    `${content.free} ${content.release}`,
  ]
  return `${blocks.join('\n\n')}\n`
}

function opening({ title, lead }: Section): string[] {
  return [`## ${title}`, lead]
}

const point = ({ title, text }: Point) => `**${title}.** ${text}`

function failure({ code, message, at, try: hint }: ShownFailure): string {
  return `${code}: ${message}\n  at   ${at}\n  try  ${hint}`
}

function finding({ code, title, says, fix, retest }: ShownFinding): string {
  return [`${code}: ${title}`, `  ${says}`, `  fix      ${fix}`, `  re-test  ${retest}`].join('\n')
}

function docLinks({ title, entries }: DocSection, baseUrl: string): string[] {
  const lines = entries.map(
    (entry) => `[${entry.title}](${baseUrl}${entry.url})${entry.note === '' ? '' : `: ${entry.note}`}`,
  )
  return [`### ${title}`, list(lines)]
}

function address({ url, label, says, isNoPage }: Link): string {
  return `${isNoPage === true ? `\`${url}\`` : `[${label}](${url})`}: ${says}`
}

function figures(shown: readonly Figure[]): string {
  return list(shown.map(({ value, label }) => `**${value}** ${label}`))
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n')
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')
}
