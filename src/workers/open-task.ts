/** A job names a connection → what this worker has of it in its folders. */
import { findConnection, isPath } from '../connections/find-connection.ts'
import { openConnection } from '../connections/open-connection.ts'
import type { Destination } from '../destinations/destination.ts'
import { withoutPasswords } from '../destinations/without-passwords.ts'
import type { LoadedManifest } from '../connector/load-manifest.ts'
import type { Redact } from '../protocol/secrets.ts'
import { ConnectorError } from '../std/errors.ts'
import type { SyncEvent } from '../sync/events.ts'
import type { SyncOptions } from '../sync/sync.ts'
import type { SyncTask } from './queue.ts'

export type JobContext = {
  /** Of the worker. */
  readonly name: string
  /** TURNLEAF_HOME. */
  readonly home: string
  /** Used where the connection names no destination. */
  readonly defaultDestination: () => string
  readonly signal: AbortSignal
  readonly onEvent: (event: SyncEvent) => void
  readonly warn: (text: string) => void
  /** Receives the function that hides secrets. */
  readonly learn: (redact: Redact) => void
}

export type OpenedTask = {
  readonly manifest: LoadedManifest
  readonly options: LeadOptions
  readonly schema: string | null
}

export type LeadOptions = Omit<SyncOptions, 'to'> & { readonly to: Destination }

/** A job names a connection, never a path: the right to write to the queue must not be one to choose files of this machine. */
export async function openTask(
  { connection: name, options: given }: SyncTask,
  context: JobContext,
): Promise<OpenedTask> {
  const { home, defaultDestination, learn, warn, signal, onEvent } = context
  learn(withoutPasswords)
  if (isPath(name)) throw new ConnectorError('connections/not-found', `A job names a connection; "${name}" is a path.`)
  const connection = await here(context, () => findConnection(name, home))
  const { manifest, options } = await here(context, () =>
    openConnection(connection, { home, defaultDestination, learn, warn }),
  )
  const { streams, mode, require, prefetch, concurrency, streamsAtOnce, isFresh, acceptDrop } = given
  const asked = { streams, mode, require, prefetch, concurrency, streamsAtOnce, isFresh, acceptDrop }
  // An option that is not given leaves what the connection says.
  const changed = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
  const { schema } = connection
  return { manifest, schema, options: { ...options, ...changed, to: options.to as Destination, signal, onEvent } }
}

/** What only this worker lacks; who reads the error may be on another machine. */
const own: readonly string[] = [
  'connections/not-found',
  'connections/missing-variable',
  'connections/missing-file',
  'connections/no-connector',
]

async function here<Result>({ name }: JobContext, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ConnectorError) || !own.includes(error.code)) throw error
    const { code, message, hint, at, problems } = error
    throw new ConnectorError(code, message, {
      cause: error,
      at,
      problems,
      hint: `This is about worker ${name}. Give every worker the same TURNLEAF_HOME and the same variables. ${hint}`,
    })
  }
}
