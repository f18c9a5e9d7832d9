/** Lines of text → chunks of bytes. */

/** A unit of a JavaScript string takes at most three bytes in UTF-8. */
const bytesPerUnit = 3

/** Chunks of about this many bytes. Each line is written into its place: joined to one text first, lines would be copied twice. */
export function* lineChunks(lines: Iterable<string>, chunkBytes: number): Generator<Buffer> {
  let chunk = Buffer.allocUnsafe(chunkBytes)
  let length = 0
  for (const line of lines) {
    const most = line.length * bytesPerUnit
    if (most > chunk.length - length) {
      if (length > 0) yield chunk.subarray(0, length)
      chunk = Buffer.allocUnsafe(Math.max(chunkBytes, most))
      length = 0
    }
    length += chunk.write(line, length)
  }
  if (length > 0) yield chunk.subarray(0, length)
}
