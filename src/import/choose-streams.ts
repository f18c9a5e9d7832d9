/** All streams of a description, and what the user chose → the streams to write, with the parents they need. */
import { ConnectorError } from '../std/errors.ts'
import { nearMiss } from '../std/text/near-miss.ts'
import { number } from '../std/text/format-count.ts'
import type { ImportedStream } from './streams/import-stream.ts'
import { escapePattern } from '../std/text/escape-pattern.ts'

export type StreamSelection = {
  /** Names, or patterns such as `orders*` and `/v1/*`. */
  readonly only?: readonly string[] | undefined
  readonly except?: readonly string[] | undefined
  readonly all?: boolean | undefined
}

/** With more streams than this, importing all of them is probably a mistake. */
const mostStreams = 200

export function chooseImported(streams: readonly ImportedStream[], selection: StreamSelection): ImportedStream[] {
  const { only = [], except = [], all = false } = selection
  const wanted = only.length === 0 ? streams : streams.filter((stream) => only.some((one) => matches(one, stream)))
  for (const one of [...only, ...except])
    if (!streams.some((stream) => matches(one, stream))) throw unknownStream(one, streams)
  const left = wanted.filter((stream) => !except.some((one) => matches(one, stream)))
  if (left.length === 0)
    throw new ConnectorError(
      'import/no-streams',
      'No stream is left: --except excludes every stream that --only chose.',
    )
  if (left.length > mostStreams && !all) throw tooMany(left)
  const chosen = new Set(left.map(({ name }) => name))
  // Parents are written too: a child cannot be read without them.
  for (const { parent } of left) {
    for (let at = parent; at !== null; at = streams.find(({ name }) => name === at?.stream)?.parent ?? null)
      chosen.add(at.stream)
  }
  return streams.filter(({ name }) => chosen.has(name))
}

function matches(pattern: string, { name, path, endpoint }: ImportedStream): boolean {
  if (pattern === name || pattern === endpoint.path) return true
  if (!pattern.includes('*')) return false
  const parts = pattern.split('*').map(escapePattern)
  const expression = new RegExp(`^${parts.join('.*')}$`, 'i')
  return expression.test(name) || expression.test(endpoint.path) || expression.test(path)
}

function unknownStream(wanted: string, streams: readonly ImportedStream[]): ConnectorError {
  const near = nearMiss(
    wanted,
    streams.map(({ name }) => name),
  )
  const hint = near === undefined ? undefined : `Did you mean \`${near}\`? \`--list\` shows all names.`
  return new ConnectorError(
    'import/unknown-stream',
    `No stream is called or matches \`${wanted}\`.`,
    hint === undefined ? {} : { hint },
  )
}

function tooMany(streams: readonly ImportedStream[]): ConnectorError {
  const some = streams.slice(0, 8).map(({ name }) => name)
  return new ConnectorError(
    'import/too-many',
    `The description has ${number(streams.length)} lists of records, more than ${mostStreams}: ${some.join(', ')} …`,
  )
}
