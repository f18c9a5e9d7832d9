/** A destination → the streams whose last read was held, of every connection. Read-only. */
import type { Destination } from '../destinations/destination.ts'
import { type HeldCheckpoint, checkpointKeys, parseCheckpoint, type StreamCheckpoint } from './checkpoints.ts'

export type HeldStream = Omit<HeldCheckpoint, 'table'> & { readonly connection: string; readonly stream: string }

export async function heldStreams(destination: Destination): Promise<readonly HeldStream[]> {
  return (await streamCheckpoints(destination)).flatMap(({ connection, stream, checkpoint: { held } }) => {
    if (held === undefined) return []
    const { table: _, ...shown } = held
    return [{ connection, stream, ...shown }]
  })
}

/** Every stream that was ever synced to it. */
export async function knownStreams(destination: Destination) {
  return (await streamCheckpoints(destination)).map(({ connection, stream }) => ({ connection, stream }))
}

async function streamCheckpoints(destination: Destination) {
  const prefix = checkpointKeys.stream('')
  const stored = (await destination.inspect?.(prefix)) ?? []
  return stored.map(({ connection, key, text }) => ({
    connection,
    stream: decodeURIComponent(key.slice(prefix.length)),
    checkpoint: parseCheckpoint(text) as StreamCheckpoint,
  }))
}
