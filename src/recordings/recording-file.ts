/** Recordings on disk: `recordings/STREAM.json` in the folder of a connector, written completely or not at all. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeDiskError } from '../std/disk/disk-error.ts'
import { replaceFile } from '../std/disk/durable.ts'
import { ConnectorError } from '../std/errors.ts'
import { parseJson, stringifyJson } from '../std/json.ts'
import { valueAt } from '../std/values/get-at.ts'
import { isList, isObject } from '../std/values/objects.ts'
import { fileText } from './file-text.ts'
import { type Recording, recordingFormat } from './recording.ts'
import { messageOf } from '../std/text/message-of.ts'
import { makeFolder } from '../std/disk/make-folder.ts'

export const recordingsFolder = 'recordings'

/** A name of a stream may have characters that a file must not. */
export function recordingPath(folder: string, stream: string): string {
  const name = stream.replaceAll(/[^\w.-]|^\./g, (character) => encodeURIComponent(character).replaceAll('.', '%2E'))
  return join(folder, recordingsFolder, `${name}.json`)
}

/** The files there are, by name; none where there is no folder. */
export async function recordingFiles(folder: string): Promise<string[]> {
  const names: string[] = await readdir(join(folder, recordingsFolder)).catch(() => [])
  return names
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .toSorted()
    .map((name) => join(folder, recordingsFolder, name))
}

export async function writeRecording(folder: string, recording: Recording): Promise<string> {
  const path = recordingPath(folder, recording.stream)
  try {
    await makeFolder(join(folder, recordingsFolder))
    await replaceFile(path, Buffer.from(fileText(recording)))
    return path
  } catch (cause) {
    throw new ConnectorError('cli/file', `Cannot write ${path}: ${describeDiskError(cause) ?? String(cause)}.`, {
      cause,
    })
  }
}

export async function readRecording(path: string): Promise<Recording> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new ConnectorError('cli/file', `Cannot read ${path}: ${describeDiskError(cause) ?? String(cause)}.`, {
      cause,
    })
  })
  return recordingIn(text, path)
}

export function recordingIn(text: string, path: string): Recording {
  const value = parsed(text, path)
  const format = isObject(value) ? value.format : undefined
  if (typeof format === 'number' && format !== recordingFormat) {
    const message = `${path} has the format ${format}; this version of Turnleaf reads format ${recordingFormat}.`
    throw new ConnectorError('recordings/other-version', message, { at: { pointer: '/format', file: path } })
  }
  for (const [place, kind] of required) {
    const found = valueAt(value, place)
    if (!isKind(found, kind)) throw invalid(path, place, `must be ${kinds[kind]}, and is ${described(found)}`)
  }
  const recording = value as Recording
  recording.exchanges.forEach((exchange: unknown, index) => checkExchange(exchange, ['exchanges', String(index)], path))
  if (Number.isNaN(Date.parse(recording.recordedAt))) throw invalid(path, ['recordedAt'], 'is not a time')
  return recording
}

type Kind = keyof typeof kinds

const kinds = { object: 'an object', list: 'a list', text: 'a string', number: 'a number' } as const

const required: readonly (readonly [readonly string[], Kind])[] = [
  [[], 'object'],
  [['format'], 'number'],
  [['stream'], 'text'],
  [['recordedAt'], 'text'],
  [['config'], 'object'],
  [['limits'], 'object'],
  [['limits', 'maxPages'], 'number'],
  [['limits', 'maxSlices'], 'number'],
  [['exchanges'], 'list'],
  [['expected'], 'object'],
  [['expected', 'records'], 'object'],
  [['expected', 'records', 'count'], 'number'],
  [['expected', 'records', 'first'], 'list'],
  [['expected', 'slices'], 'list'],
  [['expected', 'schema'], 'object'],
]

function isKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'object':
      return isObject(value)
    case 'list':
      return isList(value)
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
  }
}

function checkExchange(exchange: unknown, place: readonly string[], path: string): void {
  const parts: readonly (readonly [readonly string[], Kind])[] = [
    [[], 'object'],
    [['request'], 'object'],
    [['request', 'method'], 'text'],
    [['request', 'url'], 'text'],
    ...(isObject(exchange) && exchange.response !== null
      ? ([
          [['response'], 'object'],
          [['response', 'status'], 'number'],
          [['response', 'headers'], 'object'],
        ] as const)
      : ([[['failure'], 'object']] as const)),
  ]
  for (const [inside, kind] of parts) {
    const found = valueAt(exchange, inside)
    if (!isKind(found, kind))
      throw invalid(path, [...place, ...inside], `must be ${kinds[kind]}, and is ${described(found)}`)
  }
  const body = valueAt(exchange, ['response', 'body'])
  if (body !== undefined && !isBody(body)) {
    throw invalid(path, [...place, 'response', 'body'], 'must have one of json, lines, gzip, base64')
  }
}

function isBody(body: unknown): boolean {
  if (!isObject(body)) return false
  const lines = body.lines ?? body.gzip
  if (lines !== undefined) return isList(lines) && lines.every((line) => typeof line === 'string')
  return Object.hasOwn(body, 'json') || typeof body.base64 === 'string'
}

function described(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  return isList(value) ? 'a list' : isObject(value) ? 'an object' : `\`${stringifyJson(value).slice(0, 40)}\``
}

function invalid(path: string, place: readonly string[], what: string): ConnectorError {
  const pointer = place.map((name) => `/${name}`).join('')
  const message = `${path} is not a recording: ${pointer === '' ? 'the file' : pointer} ${what}.`
  return new ConnectorError('recordings/invalid', message, { at: { pointer, file: path } })
}

function parsed(text: string, path: string): unknown {
  try {
    return parseJson(text).value
  } catch (cause) {
    const reason = messageOf(cause)
    const [, offset] = /position (\d+)/.exec(reason) ?? []
    const before = offset === undefined ? [] : text.slice(0, Number(offset)).split('\n')
    const place = before.length === 0 ? {} : { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
    throw new ConnectorError('recordings/invalid', `${path} is not JSON: ${reason}.`, {
      at: { pointer: '', file: path, ...place },
      cause,
    })
  }
}
