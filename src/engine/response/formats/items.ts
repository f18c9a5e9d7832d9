/** The bytes of a body that holds many items → the items, in bounded memory. */
import { parseJson } from '../../../std/json.ts'
import type { DecoderPlan } from '../../plan/decoder.ts'
import { parseCsv } from './csv.ts'
import { FormatError, type ItemParser } from './item-parser.ts'
import { parseJsonItems } from './json-items.ts'
import { parseJsonLines, parseLines } from './lines.ts'
import { readText } from './text.ts'
import { type Chunks, collected, gunzipIfPacked } from './unpack.ts'
import { zipMembers } from './zip.ts'

/** Some items in a row, and how many bytes they took. */
export type Items = { readonly values: readonly unknown[]; readonly hasFloats: boolean; readonly bytes: number }

/** `maxBytes`: of what can only be held whole, a zip archive or a JSON document. */
export async function* itemsIn(
  plan: DecoderPlan,
  chunks: Chunks,
  maxBytes: number,
  warn?: (text: string) => void,
): AsyncGenerator<Items> {
  switch (plan.kind) {
    case 'json-lines':
      return yield* parsedItems(parseJsonLines(), 'utf-8', chunks)
    case 'lines':
      return yield* parsedItems(parseLines(), 'utf-8', chunks)
    case 'json-items':
      return yield* parsedItems(parseJsonItems(plan.path), plan.encoding, chunks)
    case 'csv':
      return yield* parsedItems(parseCsv(plan, warn), plan.encoding, chunks)
    case 'json':
      return yield jsonItems(await collected(chunks, maxBytes))
    case 'gzip':
      return yield* itemsIn(plan.inner, gunzipIfPacked(chunks), maxBytes, warn)
    case 'zip':
      for (const member of zipMembers(await collected(chunks, maxBytes))) {
        yield* inFile(member.name, itemsIn(plan.inner, member.bytes(), maxBytes, warn))
      }
      return
    case 'xml':
    case 'custom':
      // Their answers are no lists of items, and the check lets neither into an archive.
      throw new FormatError(`${plan.kind} cannot be packed`)
    default:
      // A kind that is forgotten here would have no items.
      plan satisfies never
  }
}

async function* parsedItems(parser: ItemParser, encoding: string, chunks: Chunks): AsyncGenerator<Items> {
  const text = readText(encoding)
  for await (const chunk of chunks) {
    const values = parser.read(asText(encoding, () => text.read(chunk)))
    yield { values, hasFloats: parser.hasFloats, bytes: chunk.length }
  }
  const values = [...parser.read(asText(encoding, () => text.end())), ...parser.end()]
  yield { values, hasFloats: parser.hasFloats, bytes: 0 }
}

function asText(encoding: string, read: () => string): string {
  try {
    return read()
  } catch (cause) {
    throw new FormatError(`it is not valid ${encoding}`, { cause })
  }
}

/** Airbyte: the members of a list are items of their own. */
function jsonItems(bytes: Uint8Array): Items {
  const text = readText('utf-8')
  const all = asText('utf-8', () => text.read(bytes) + text.end())
  try {
    const { value, hasFloats } = parseJson(all)
    return { values: Array.isArray(value) ? value : [value], hasFloats, bytes: bytes.length }
  } catch (cause) {
    throw new FormatError(all === '' ? 'it is empty where JSON is needed' : 'it is not JSON', { cause })
  }
}

async function* inFile(name: string, items: AsyncGenerator<Items>): AsyncGenerator<Items> {
  try {
    yield* items
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const { message, isTooLarge, cause } = error
    throw new FormatError(`in the file ${JSON.stringify(name)}: ${message}`, { isTooLarge, cause })
  }
}
