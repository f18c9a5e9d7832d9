/** Content → markdown: for agents, and for anyone who would rather read text. */
import type { SiteFacts } from '../facts.ts'
import { frontMatter } from '../front-matter.ts'
import type { Homepage } from './content.ts'
import type { Figure, ShownFinding } from './content-differences.ts'
import type { ShownMethod, Section } from './content-methods.ts'
import { chartFile } from './peer-picture.ts'

export function renderMarkdown(content: Homepage, { baseUrl }: SiteFacts): string {
  const { read, methods, loop, receipt, diagnosis, detection, landing } = content
  const { rules, manifests, speed, peers, typescript, agents, next, docs } = content
  const blocks = [
    frontMatter({ title: content.name, description: content.description, url: `${baseUrl}/` }),
    `# ${content.name}`,
    `> ${content.headline} ${content.summary}`,
    `An index for language models is at [${baseUrl}/llms.txt](${baseUrl}/llms.txt). The same page as HTML: [${baseUrl}/](${baseUrl}/).`,
    ...content.commands.flatMap(({ does, command }) => [`${does}:`, fence('sh', command)]),
    content.commandsNote,
    `**${read.stream}** (${read.method}), page by page:`,
    table(
      ['page', 'request', 'records', 'token in → out', 'took'],
      read.pages.map((page, index) => [
        String(index + 1),
        `\`${page.request}\``,
        page.records,
        page.token,
        `${page.tookMs} ms`,
      ]),
    ),
    `Stopped at ${read.stop}. ${read.total}.`,

    ...opening(methods),
    ...methods.methods.flatMap(method),
    methods.note,

    ...opening(loop),
    table(
      ['page', 'request', 'answer'],
      loop.pages.map(({ request, records }, index) => [String(index + 1), `\`${request}\``, records]),
    ),
    fence(
      'text',
      `${loop.failure.code}: ${loop.failure.message}\n  at   ${loop.failure.at}\n  try  ${loop.failure.try}`,
    ),

    ...opening(receipt),
    table(receipt.columns, receipt.rows),
    receipt.total,
    receipt.note,
    fence('sh', receipt.receipt),

    ...opening(diagnosis),
    fence('sh', diagnosis.command),
    fence('text', finding(diagnosis.finding)),
    diagnosis.note,

    ...opening(detection),
    fence('sh', detection.command),
    figures(detection.figures),
    detection.note,

    ...opening(landing),
    list(landing.places.map(({ title, text }) => `**${title}.** ${text}`)),
    landing.note,
    fence('sql', landing.query),

    ...opening(rules),
    list(rules.rules.map(({ title, text }) => `**${title}.** ${text}`)),

    ...opening(manifests),
    figures(manifests.figures),
    manifests.reads.caption,
    manifests.note,

    ...opening(speed),
    table(
      ['reader', speed.scale],
      speed.bars.map(({ label, value }) => [label, value]),
    ),
    figures(speed.figures),
    speed.note,
    peers.lead,
    ...peers.charts.map(({ chart, alt }) => `![${alt}](${baseUrl}/${chartFile(chart, 'light')})`),
    table(peers.table.columns, peers.table.rows),
    peers.note,

    ...opening(typescript),
    fence('ts', typescript.code),
    typescript.note,

    ...opening(agents),
    fence('sh', agents.command),
    list(
      agents.links.map(({ url, label, type, says, isNoPage }) =>
        isNoPage === true ? `\`${url}\` (${type}): ${says}` : `[${label}](${url}) (${type}): ${says}`,
      ),
    ),

    ...opening(next),
    list(next.steps.map(({ title, text }) => `**${title}.** ${text}`)),

    ...opening(docs),
    list(docs.files.map(({ path, says }) => `\`${path}\`: ${says}`)),

    `${content.free} ${content.release}`,
  ]
  return `${blocks.join('\n\n')}\n`
}

function opening({ title, lead }: Section): string[] {
  return [`## ${title}`, lead]
}

function method({ name, messages, stop, first, next, stops }: ShownMethod): string[] {
  const lines = messages.map(({ from, text }) => (from === 'us' ? `→ GET ${text}` : `← ${text}`))
  return [
    `### ${name}`,
    list([`First: ${first}`, `Next: ${next}`, `Stops: ${stops}`]),
    fence('text', [...lines, `■ ${stop}`].join('\n')),
  ]
}

function finding({ code, title, says, fix, retest }: ShownFinding): string {
  return [`${code}: ${title}`, `  ${says}`, `  fix      ${fix}`, `  re-test  ${retest}`].join('\n')
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
