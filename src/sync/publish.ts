/** Publishes rows that a sync held, once a user has accepted them. */
import { destinationAt } from '../destinations/open-destination.ts'
import type { Destination, OpenDestination } from '../destinations/destination.ts'
import { checkOnly, checkValue, destinationRule, filledText, anyText } from '../engine/run/check-options.ts'
import { ConnectorError } from '../std/errors.ts'
import { count } from '../std/text/format-count.ts'
import { nearMiss } from '../std/text/near-miss.ts'
import { heldStreams, type HeldStream, knownStreams } from './held-streams.ts'
import { checkpointKeys, checkpointText, committedOf, type HeldCheckpoint, parseRunCheckpoint } from './checkpoints.ts'

export type PublishOptions = {
  /** The destination, as for `sync`. */
  readonly to: string | Destination
  readonly schema?: string | undefined
  /** May be left out where only one connection has held rows of that stream. */
  readonly connection?: string | undefined
}

export type PublishResult = {
  readonly stream: string
  readonly connection: string
  readonly to: string
  /** The run that read the rows. */
  readonly run: string
  /** Number of rows in the table before and after. */
  readonly before: number
  readonly after: number
}

/**
 * Publishes the rows of a stream that the last sync held: they replace the table in one transaction.
 *
 * @example const { before, after } = await publish('orders', { to: 'duckdb:shop.duckdb' })
 */
export async function publish(stream: string, options: PublishOptions): Promise<PublishResult> {
  checkValue('The name of the stream', stream, filledText)
  checkOnly(options, { to: destinationRule, schema: anyText, connection: anyText })
  const { to, schema, connection } = options
  const destination = typeof to === 'string' ? destinationAt(to, { schema }) : to
  const owner = await connectionHolding(destination, stream, connection)
  // Another sync may have run since: read what is held once the destination is open.
  const opened = await destination.open(owner)
  try {
    const held = (await committedOf(opened, stream)).stream.held
    if (held === undefined) throw await nothingHeld(destination, stream, owner)
    const { existing, staged } = held
    if (staged > 0 && (await opened.isStagedGone?.(stream))) {
      const message = `The held rows of "${stream}" (${count(staged, 'row')}) are gone: something else has deleted them.`
      throw new ConnectorError('destinations/unreadable', message, {
        hint: 'Run the sync again; the table keeps its rows.',
      })
    }
    const { published: before = existing, staged: after = staged } = (await opened.count?.(held.table)) ?? {}
    await publishHeld(opened, stream, held)
    return { stream, connection: owner, to: destination.address, run: held.run, before, after }
  } finally {
    await opened.close()
  }
}

/** One commit: killed at any moment, the rows are either held or published, and the checkpoints agree. */
async function publishHeld(opened: OpenDestination, stream: string, held: HeldCheckpoint): Promise<void> {
  const checkpoint = checkpointText({ state: null, readIn: held.run, reading: null, failures: 0 })
  const key = checkpointKeys.run(held.run)
  const run = (await opened.notes(key)).get(key)
  await opened.commit({
    steps: [{ kind: 'publish', table: held.table }],
    forget: checkpointKeys.ofRead(stream),
    notes: new Map([
      [checkpointKeys.stream(stream), checkpoint],
      ...(run === undefined ? [] : [[key, markPublished(run, stream)] as const]),
    ]),
  })
}

/** The receipt keeps the reason why they were held. */
function markPublished(text: string, stream: string): string {
  const run = parseRunCheckpoint(text)
  const streams = run.streams.map((receipt) =>
    receipt.stream === stream && receipt.held !== undefined
      ? { ...receipt, held: { ...receipt.held, publishedAt: Date.now() } }
      : receipt,
  )
  return checkpointText({ ...run, streams })
}

/** The one connection that holds rows of the stream. Read-only: a misspelt name creates nothing. */
async function connectionHolding(destination: Destination, stream: string, given?: string): Promise<string> {
  // A custom destination without `inspect`: assume the connection of a manifest without a folder.
  if (destination.inspect === undefined) return given ?? 'default'
  const matches = (one: HeldStream) => one.stream === stream && (given === undefined || one.connection === given)
  const [first, ...others] = (await heldStreams(destination)).filter(matches).map(({ connection }) => connection)
  if (first === undefined) throw await nothingHeld(destination, stream, given)
  if (others.length === 0) return first
  const names = [first, ...others].map((name) => `"${name}"`).join(', ')
  throw new ConnectorError('sync/several-held', `Rows of "${stream}" are held for several connections: ${names}.`)
}

async function nothingHeld(destination: Destination, stream: string, connection?: string): Promise<ConnectorError> {
  const isIncluded = (one: Pick<HeldStream, 'connection'>) => connection === undefined || one.connection === connection
  const known = (await knownStreams(destination)).filter(isIncluded).map((one) => one.stream)
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
  const others = (await heldStreams(destination)).filter(isIncluded).map((one) => `"${one.stream}"`)
  const hint = others.length === 0 ? undefined : `Rows are held of ${others.join(', ')}.`
  return new ConnectorError('sync/nothing-held', `No rows of "${stream}" are held in ${destination.address}.`, { hint })
}
