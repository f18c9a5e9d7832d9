/** Places and keys of the manifest as the form calls them: `orders › Pagination › page size`. */
import type { ManifestProblem } from '../../server/wire/problem.ts'
import { type Path, pathOf } from '../../document/value-path.ts'
import type { StreamPlace } from '../../document/stream-paths.ts'
import { readSentence } from '../../engine/template/syntax/syntax-error.ts'

const sections: Readonly<Record<string, string>> = {
  requester: 'Request',
  creation_requester: 'Request',
  record_selector: 'Records',
  primary_key: 'Records',
  decoder: 'Records',
  download_decoder: 'Records',
  paginator: 'Pagination',
  download_paginator: 'Pagination',
  partition_router: 'Partitioning',
  incremental_sync: 'Incremental sync',
  error_handler: 'Error handling',
  authenticator: 'Authentication',
  transformations: 'Transformations',
  schema_loader: 'Schema',
}

const roots: Readonly<Record<string, string>> = {
  spec: 'Inputs',
  definitions: 'Shared parts',
  check: 'Connection check',
}

export function streamAt(path: Path, streams: readonly StreamPlace[]): StreamPlace | undefined {
  return streams.find((stream) => stream.path.every((key, index) => path[index] === key))
}

export function placeWords(path: Path, streams: readonly StreamPlace[]): string {
  const stream = streamAt(path, streams)
  const within = path.slice(stream?.path.length ?? 1)
  const section = within.findLast((key) => sections[key] !== undefined)
  const last = within.findLast((key) => typeof key === 'string')
  const root = stream === undefined ? roots[String(path[0])] : stream.name
  const field = last === undefined || last === section ? undefined : last.replaceAll('_', ' ')
  return [root, section === undefined ? undefined : sections[section], field].filter(Boolean).join(' › ')
}

const labels: Readonly<Record<string, string>> = {
  request_parameters: 'Query parameters',
  request_headers: 'Headers',
  'request body': 'the body',
  page_token_option: 'the injected page token',
  page_size_option: 'the injected page size',
  'slice options': 'Partitioning',
  authenticator: 'Authentication',
}

/** What the codes of the network mean; of the others only that there was no connection. */
const networkWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection',
  ENOTFOUND: 'is not a known host',
  EAI_AGAIN: 'is not a known host',
  EHOSTUNREACH: 'is not reachable from here',
  ENETUNREACH: 'is not reachable from here',
}

/** `(UND_ERR_SOCKET)`, `(ECONNREFUSED): connect ECONNREFUSED 127.0.0.1:1` */
const networkCode = / \((?:UND_ERR|ERR|HPE|Z|E[A-Z]+|CERT|SELF|DEPTH|UNABLE)(?:_[A-Z_]+)?\)/g

/** The hint of a response that is not JSON. */
const otherFormat =
  /Name the format in the manifest: add `decoder: \{ type: (Csv|Xml|Gzip|Zip)(?:file)?Decoder\b[^`]*` to the retriever of the stream\./g

/** The hint of a response that refuses the credentials. */
const otherCredentials = 'Check the `authenticator` of the requester, and the values of the config that it sends.'

/** `CursorPagination has no `cursor_value`.` */
const missingKey = /^(?:The )?([A-Z]\w*) has no `(\w+)`\.?$/

/** A message of the engine, with the names of the form for what sends values, and without codes of the network. */
export function formWords(text: string): string {
  const [, type, missing] = missingKey.exec(text) ?? []
  if (missing !== undefined) return `${fieldLabel(missing, type === 'ListPartitionRouter')} is required.`
  const keys = Object.keys(labels).join('|')
  const worded = text
    .replace(
      / cannot be reached \(([A-Z_]+)\): (?:connect|getaddrinfo) \S+(?: [^\s.]\S*?)?(?=\.?(?:\s|$))/g,
      (whole, code: string) => {
        const words = networkWords[code]
        return words === undefined ? whole : ` ${words}`
      },
    )
    .replaceAll(networkCode, '')
    .replaceAll(
      otherFormat,
      (_, format: string) =>
        `Set Response format, in Records, to ${format === 'Gzip' ? format : format.toUpperCase()}.`,
    )
    .replace(otherCredentials, 'Check the authentication method and the values of its inputs.')
    .replaceAll(new RegExp(`(?<![\\w\`])(?:${keys})(?![\\w\`])`, 'g'), (key) => labels[key] ?? key)
  return /^https?:/.test(worded) ? worded : capitalised(worded)
}

/** Required keys as the form labels them, where the words of the key say something else. */
const fieldLabels: Readonly<Record<string, string>> = {
  values: 'Values',
  url_base: 'Base URL',
  api_token: 'API token',
  cursor_value: 'Next page cursor',
  datetime_format: 'Format in requests',
  start_datetime: 'Start',
  stream: 'Parent stream',
}

function fieldLabel(key: string, isOfList: boolean): string {
  if (isOfList && key === 'cursor_field') return 'Partition field'
  return fieldLabels[key] ?? capitalised(key.replaceAll('_', ' '))
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

type ProblemWords = Pick<ManifestProblem, 'message' | 'hint'>

/** A problem as it is shown next to its field, which has the template: `Character 25: expected a name.` Other problems keep their words. */
export function fieldWords(problem: ProblemWords): ProblemWords {
  return templateWords(problem, '') ?? problem
}

/** A problem of a template, with its place in the form instead of the template; null for other problems. */
function templateWords({ message, hint }: ProblemWords, place: string): ProblemWords | null {
  const found = readSentence(message)
  if (found === null) return null
  const { line, column, what } = found
  // A dot that a message quotes at its end is enough of one.
  const stop = /[.?]`?$/.test(what) ? '' : '.'
  const position = `${line === 1 ? '' : `line ${line}, `}character ${column}`
  return {
    message: `${place === '' ? capitalised(position) : `${place}, ${position}`}: ${what}${stop}`,
    // The message has the position, and there is no more to say.
    hint: hint.includes('at the position named') ? '' : hint,
  }
}

/**
 * A problem of the manifest as the form says it: `orders › Pagination: Next page cursor is required.` Next to the text, a template is
 * named by its line. Other problems keep their words.
 */
export function problemWords(
  { code, message, hint, at }: ManifestProblem,
  streams: readonly StreamPlace[],
  view: 'form' | 'yaml',
): ProblemWords {
  const path = pathOf(at.pointer)
  const [, key] = code === 'manifest/missing-field' ? (/has no `(\w+)`/.exec(message) ?? []) : []
  if (key !== undefined) {
    const section = sectionWords(path, streams)
    const label = fieldLabel(key, path.includes('partition_router'))
    return { message: `${section === '' ? '' : `${section}: `}${label} is required.`, hint: '' }
  }
  const place = view === 'form' ? placeWords(path, streams) : ''
  const ofTemplate = place === '' ? null : templateWords({ message, hint }, place)
  return ofTemplate ?? { message: formWords(message), hint: placed(formWords(hint), at) }
}

/** The messages of the engine have the position next to them. */
function placed(hint: string, { line, column = 1 }: ManifestProblem['at']): string {
  return line === undefined ? hint : hint.replace('at the position named', `at line ${line}, column ${column}`)
}

function sectionWords(path: Path, streams: readonly StreamPlace[]): string {
  const section = path.findLast((key) => sections[key] !== undefined)
  const stream = streamAt(path, streams)?.name ?? roots[String(path[0])]
  return [stream, section === undefined ? undefined : sections[section]].filter(Boolean).join(' › ')
}
