/** A destination → the streams whose last read was held, of every connection. Only reads. */
import type { Destination } from '../destinations/destination.ts'
import { type HeldNote, noteKeys, readNote, type StreamNote } from './checkpoints.ts'

export type HeldStream = Omit<HeldNote, 'table'> & { readonly connection: string; readonly stream: string }

export async function heldStreams(destination: Destination): Promise<readonly HeldStream[]> {
  return (await streamNotes(destination)).flatMap(({ connection, stream, note: { held } }) => {
    if (held === undefined) return []
    const { table: _, ...shown } = held
    return [{ connection, stream, ...shown }]
  })
}

/** Every stream that was ever synced. */
export async function knownStreams(destination: Destination) {
  return (await streamNotes(destination)).map(({ connection, stream }) => ({ connection, stream }))
}

async function streamNotes(destination: Destination) {
  const prefix = noteKeys.stream('')
  const notes = (await destination.inspect?.(prefix)) ?? []
  return notes.map(({ connection, key, text }) => ({
    connection,
    stream: decodeURIComponent(key.slice(prefix.length)),
    note: readNote(text) as StreamNote,
  }))
}
