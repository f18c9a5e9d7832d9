/** Rows that a sync held back → the table, because somebody looked at them and accepts them. */
import { destinationAt } from '../destinations/open-destination.ts'
import type { Destination, OpenDestination } from '../destinations/destination.ts'
import { ConnectorError } from '../std/errors.ts'
import { nearMiss } from '../std/text/near-miss.ts'
import { heldStreams, type HeldStream, knownStreams } from './held-streams.ts'
import { type HeldNote, noteKeys, readRun, writeNote } from './checkpoints.ts'
import { committedOf } from './reading.ts'

export type PublishOptions = {
  /** Where the sync wrote to, as for `sync`. */
  readonly to: string | Destination
  readonly schema?: string | undefined
  /** Whose rows; may be left out where the destination has held rows of that stream for one connection only. */
  readonly connection?: string | undefined
}

export type PublishResult = {
  readonly stream: string
  readonly connection: string
  readonly to: string
  /** The run that read the rows. */
  readonly run: string
  /** Rows of the table before and after. */
  readonly before: number
  readonly after: number
}

/**
 * Publishes the rows of a stream that the last sync held: they replace the table in one transaction.
 *
 * @example const { before, after } = await publish('orders', { to: 'duckdb:shop.duckdb' })
 */
export async function publish(stream: string, { to, schema, connection }: PublishOptions): Promise<PublishResult> {
  const destination = typeof to === 'string' ? destinationAt(to, { schema }) : to
  const owner = await connectionHolding(destination, stream, connection)
  // A sync may have run meanwhile: what counts is what is held once the destination is ours.
  const opened = await destination.open(owner)
  try {
    const held = (await committedOf(opened, stream)).stream.held
    if (held === undefined) throw await nothingHeld(destination, stream, owner)
    const { existing, staged } = held
    const { published: before = existing, staged: after = staged } = (await opened.count?.(held.table)) ?? {}
    await publishHeld(opened, stream, held)
    return { stream, connection: owner, to: destination.address, run: held.run, before, after }
  } finally {
    await opened.close()
  }
}

/** One commit: killed at any moment, the rows are either held or published, and the notes agree. */
async function publishHeld(opened: OpenDestination, stream: string, held: HeldNote): Promise<void> {
  const note = writeNote({ state: null, readIn: held.run, reading: null, failures: 0 })
  const key = noteKeys.run(held.run)
  const run = (await opened.notes(key)).get(key)
  await opened.commit({
    steps: [{ kind: 'publish', table: held.table }],
    forget: [noteKeys.slices(stream)],
    notes: new Map([
      [noteKeys.stream(stream), note],
      ...(run === undefined ? [] : [[key, markPublished(run, stream)] as const]),
    ]),
  })
}

/** The receipt still says why they were held. */
function markPublished(text: string, stream: string): string {
  const run = readRun(text)
  const streams = run.streams.map((receipt) =>
    receipt.stream === stream && receipt.held !== undefined
      ? { ...receipt, held: { ...receipt.held, publishedAt: Date.now() } }
      : receipt,
  )
  return writeNote({ ...run, streams })
}

/** The one connection that holds rows of the stream. Only reads: nothing is made for a name that is misspelt. */
async function connectionHolding(destination: Destination, stream: string, asked?: string): Promise<string> {
  // A destination of one's own that does not tell has the connection of a manifest without a folder.
  if (destination.inspect === undefined) return asked ?? 'default'
  const isAsked = (one: HeldStream) => one.stream === stream && (asked === undefined || one.connection === asked)
  const [first, ...others] = (await heldStreams(destination)).filter(isAsked).map(({ connection }) => connection)
  if (first === undefined) throw await nothingHeld(destination, stream, asked)
  if (others.length === 0) return first
  const names = [first, ...others].map((name) => `"${name}"`).join(', ')
  throw new ConnectorError('sync/several-held', `Rows of "${stream}" are held for several connections: ${names}.`)
}

async function nothingHeld(destination: Destination, stream: string, connection?: string): Promise<ConnectorError> {
  const isOurs = (one: Pick<HeldStream, 'connection'>) => connection === undefined || one.connection === connection
  const known = (await knownStreams(destination)).filter(isOurs).map((one) => one.stream)
  if (destination.inspect !== undefined && !known.includes(stream)) {
    const near = nearMiss(stream, known)
    const hint = near === undefined ? undefined : `Did you mean "${near}"?`
    const whose = connection === undefined ? '' : ` of connection "${connection}"`
    return new ConnectorError(
      'sync/unknown-stream',
      `No sync${whose} to ${destination.address} has a stream "${stream}".`,
      {
        hint,
      },
    )
  }
  const others = (await heldStreams(destination)).filter(isOurs).map((one) => `"${one.stream}"`)
  const hint = others.length === 0 ? undefined : `Rows are held of ${others.join(', ')}.`
  return new ConnectorError('sync/nothing-held', `No rows of "${stream}" are held in ${destination.address}.`, { hint })
}
