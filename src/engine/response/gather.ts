/** Chunks of a body, as they arrive → one piece. */

export type Gathered = {
  add(chunk: Uint8Array): void
  /** How many bytes there are. */
  length(): number
  /** All of them; nothing can be added after it. */
  whole(): Uint8Array
}

/** Below it, chunks are joined at the end: most bodies are one or two. */
const largeBytes = 4 * 1024 * 1024

/**
 * A large body is copied into its place as it arrives: joined at the end, it would take twice its size until the next collection.
 *
 * @param expected its length, where the server named it.
 */
export function gatherChunks(expected: number | null): Gathered {
  let chunks: Uint8Array[] = []
  let room: Uint8Array | null = null
  let length = 0

  const makeRoom = (least: number) => {
    const size = expected !== null && expected >= least ? expected : least * 2
    const larger = Buffer.allocUnsafeSlow(size)
    if (room !== null) larger.set(room.subarray(0, length))
    room = larger
    let end = 0
    for (const chunk of chunks) {
      larger.set(chunk, end)
      end += chunk.length
    }
    chunks = []
  }
  return {
    add(chunk) {
      const total = length + chunk.length
      if (room === null && total < largeBytes) chunks.push(chunk)
      else {
        if (room === null || total > room.length) makeRoom(total)
        room?.set(chunk, length)
      }
      length = total
    },
    length: () => length,
    whole() {
      if (room !== null) return room.subarray(0, length)
      return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, length)
    },
  }
}
