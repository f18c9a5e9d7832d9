/** Places and keys of the manifest as the form calls them: `orders › Pagination › page size`. */
import type { Path } from '../../document/value-path.ts'
import type { StreamPlace } from '../editor/use-streams.ts'

const sections: Readonly<Record<string, string>> = {
  requester: 'Request',
  creation_requester: 'Request',
  record_selector: 'Records',
  primary_key: 'Records',
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

/** A message of the engine, with the names of the form for what sends values. */
export function formWords(text: string): string {
  const keys = Object.keys(labels).join('|')
  const worded = text.replaceAll(new RegExp(`(?<![\\w\`])(?:${keys})(?![\\w\`])`, 'g'), (key) => labels[key] ?? key)
  return worded.charAt(0).toUpperCase() + worded.slice(1)
}
