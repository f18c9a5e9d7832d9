/**
 * Values of a column → a vector of DuckDB, in DuckDB's own layout, with few native calls. Its library makes one for every text,
 * and a big integer for every null.
 */
import type * as DuckDB from '@duckdb/node-api'
import type Bindings from '@duckdb/node-bindings'

/** Days for a date, microseconds for a timestamp. */
export type VectorValue = boolean | number | bigint | string

type Values = readonly (VectorValue | null)[]

export type VectorWriter = {
  /** Writes a column of a chunk that has as many rows; false where the type is not one of those that are written here. */
  write(chunk: DuckDB.DuckDBDataChunk, column: number, type: DuckDB.DuckDBType, values: Values): boolean
}

/** So many rows DuckDB handles at a time, in chunks and groups alike. */
export const rowsPerVector = 2048

/** A text in a vector, `duckdb_string_t` of DuckDB's C API: its length, then its bytes, or the first four of them and their address. */
const textSize = 16
const mostBytesInPlace = 12

/** In bytes: texts are copied together up to this size; a longer one is copied alone. */
const mostCopied = 8 * 2 ** 20

/** The memory of a writer is used again for each vector. */
export function openVectorWriter(bindings: typeof Bindings, { DuckDBTypeId }: typeof DuckDB): VectorWriter {
  const bytes = new Uint8Array(rowsPerVector * textSize)
  const words = new Uint32Array(bytes.buffer)
  const longs = new BigInt64Array(bytes.buffer)
  const doubles = new Float64Array(bytes.buffer)
  const validity = new Uint8Array(rowsPerVector / 8)
  let copied = Buffer.alloc(0)

  /** @returns the size of a value in the vector; undefined where the type is not known. */
  const putValues = (vector: Bindings.Vector, { typeId }: DuckDB.DuckDBType, values: Values) => {
    switch (typeId) {
      case DuckDBTypeId.BOOLEAN:
        for (let row = 0; row < values.length; row++) bytes[row] = Number(values[row])
        return 1
      case DuckDBTypeId.INTEGER:
      case DuckDBTypeId.DATE:
        for (let row = 0; row < values.length; row++) words[row] = Number(values[row])
        return 4
      case DuckDBTypeId.BIGINT:
      case DuckDBTypeId.TIMESTAMP:
      case DuckDBTypeId.TIMESTAMP_TZ:
        for (let row = 0; row < values.length; row++) putInteger(row, values[row] ?? 0)
        return 8
      case DuckDBTypeId.DOUBLE:
        for (let row = 0; row < values.length; row++) doubles[row] = Number(values[row])
        return 8
      case DuckDBTypeId.VARCHAR:
        putTexts(vector, values as readonly (string | null)[])
        return textSize
      default:
        return undefined
    }
  }

  /** The halves of its two's complement, which a typed array takes of numbers; big integers are slower to make. */
  const putInteger = (row: number, value: VectorValue) => {
    if (typeof value === 'bigint') longs[row] = value
    else {
      words[row * 2] = Number(value)
      words[row * 2 + 1] = Math.floor(Number(value) / 2 ** 32)
    }
  }

  const putTexts = (vector: Bindings.Vector, values: readonly (string | null)[]) => {
    bytes.fill(0, 0, values.length * textSize)
    let rows: number[] = []
    let letters = 0
    for (let row = 0; row < values.length; row++) {
      const text = values[row]
      if (text === null || text === undefined || putInPlace(row, text)) continue
      if ((letters + text.length) * 3 > mostCopied) {
        copyTexts(vector, rows, values)
        rows = []
        letters = 0
      }
      rows.push(row)
      letters += text.length
    }
    copyTexts(vector, rows, values)
  }

  /** False where the text is too long, or has other letters than ASCII. */
  const putInPlace = (row: number, text: string): boolean => {
    if (text.length > mostBytesInPlace) return false
    const start = row * textSize + 4
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code > 127) return false
      bytes[start + index] = code
    }
    words[row * 4] = text.length
    return true
  }

  /** All at once into memory of the vector. */
  const copyTexts = (vector: Bindings.Vector, rows: readonly number[], values: readonly (string | null)[]) => {
    if (rows.length === 0) return
    const texts = rows.map((row) => values[row] ?? '')
    const { all, lengths } = encode(texts)
    // To the first row, which is written again with all others.
    bindings.vector_assign_string_element_len(vector, 0, all)
    const first = bindings.vector_get_data(vector, textSize)
    const address = Number(new DataView(first.buffer, first.byteOffset, textSize).getBigUint64(8, true))
    let start = 0
    rows.forEach((row, index) => {
      const length = lengths?.[index] ?? (texts[index] ?? '').length
      const shown = length > mostBytesInPlace ? 4 : length
      for (let at = 0; at < mostBytesInPlace; at++)
        bytes[row * textSize + 4 + at] = at < shown ? (all[start + at] ?? 0) : 0
      words[row * 4] = length
      if (length > mostBytesInPlace) {
        words[row * 4 + 2] = address + start
        words[row * 4 + 3] = (address + start) / 2 ** 32
      }
      start += length
    })
  }

  /** As UTF-8, one after the other. @returns how many bytes each takes, unless as many as it has letters. */
  const encode = (texts: readonly string[]): { all: Buffer; lengths?: readonly number[] } => {
    const joined = texts.join('')
    const most = joined.length * 3
    if (most > mostCopied) {
      const all = Buffer.from(joined)
      return { all, lengths: [all.length] }
    }
    if (most > copied.length) copied = Buffer.allocUnsafeSlow(most)
    if (copied.write(joined) === joined.length) return { all: copied.subarray(0, joined.length) }
    // One by one: the halves of a character, at the end of one text and at the start of the next, must not become one.
    let end = 0
    const lengths = texts.map((text) => {
      const length = copied.write(text, end)
      end += length
      return length
    })
    return { all: copied.subarray(0, end), lengths }
  }

  return {
    write(chunk, column, type, values) {
      const vector = bindings.data_chunk_get_vector(chunk.chunk, column)
      const size = putValues(vector, type, values)
      if (size === undefined) return false
      bindings.copy_data_to_vector(vector, 0, bytes.buffer, 0, values.length * size)
      if (values.includes(null)) {
        validity.fill(0xff)
        for (let row = 0; row < values.length; row++) {
          if (values[row] === null) validity[row >> 3] = (validity[row >> 3] ?? 0) & ~(1 << (row & 7))
        }
        bindings.vector_ensure_validity_writable(vector)
        bindings.copy_data_to_vector_validity(vector, 0, validity.buffer, 0, validity.length)
      }
      return true
    },
  }
}
