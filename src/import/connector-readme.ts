/** A report → the README of the connector's folder: its streams, its inputs, and what is not confirmed. */
import { count } from '../std/text/format-count.ts'
import type { DescriptionKind, ImportReport, ReportedStream } from './import-api.ts'

const kinds: Readonly<Record<DescriptionKind, string>> = {
  openapi: 'an OpenAPI description',
  postman: 'a Postman collection',
  har: 'a recording of a browser (HAR)',
}

export function connectorReadme(kind: DescriptionKind, report: ImportReport): string {
  const { title, baseUrl, authentication, inputs, streams, notes } = report
  const open = streams.filter(
    ({ pagination }) => pagination.status !== 'confirmed' && pagination.status !== 'corrected',
  )
  return `# ${plain(title)}

Made by \`turnleaf import ${kind}\` from ${kinds[kind]}: ${count(streams.length, 'stream')} of ${code(baseUrl)}.
Authentication: ${plain(authentication)}.

${inputs.length === 0 ? 'It needs no config.' : `Config:\n\n| input | |\n| --- | --- |\n${inputs.map(({ name, isSecret, isRequired, fallback }) => `| ${code(name)} | ${[isSecret ? 'secret' : '', isRequired ? 'required' : 'optional', fallback === undefined ? '' : `default ${code(fallback)}`].filter(Boolean).join(', ')} |`).join('\n')}`}

## Pagination

${open.length === 0 ? 'The API confirmed the pagination of every stream.' : `The pagination of ${open.length === streams.length ? 'the streams' : count(open.length, 'stream')} was proposed from the description and is not confirmed. Confirm it with \`turnleaf import … --config config.json --confirm\`, or read a stream and check its verdict.`}

| stream | request | pagination | |
| --- | --- | --- | --- |
${streams.map(streamRow).join('\n')}
${notes.length === 0 ? '' : `\n## Notes\n\n${notes.map((note) => `- ${plain(note)}`).join('\n')}\n`}`
}

function streamRow({ name, method, path, pagination }: ReportedStream): string {
  return `| ${code(name)} | ${code(`${method} ${path}`)} | ${plain(pagination.says)} | ${pagination.status} |`
}

/** Text of a description, where it can break neither a table nor a line. */
function plain(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('|', String.raw`\|`)
    .replaceAll('<', '&lt;')
    .slice(0, 400)
}

function code(text: string): string {
  return `\`${plain(text).replaceAll('`', "'")}\``
}
