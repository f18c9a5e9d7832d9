/** The base class of custom decoders. */
import { CustomComponent } from '../custom/component.ts'

/** What a decoder is given of a response. */
export type DecoderContext = {
  readonly status: number
  readonly url: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The bytes, with the `content-encoding` undone; empty when the decoder takes them as they come. */
  readonly body: Uint8Array
  /** The same as text. */
  text(): string
  /** The same piece by piece; the only way to them when `isStreamed`. */
  readonly chunks: AsyncIterable<Uint8Array>
}

/**
 * Extend this in `source_<name>/<package>.ts` next to the manifest. It returns items: each is one body
 * to the record selector, as the members of a JSON list are. A generator hands them over as it finds them.
 *
 * ```ts
 * export class KeyValueLines extends Decoder {
 *   *decode({ text }: DecoderContext) {
 *     for (const line of text().split('\n')) yield Object.fromEntries([line.split('=')])
 *   }
 * }
 * ```
 */
export abstract class Decoder extends CustomComponent {
  /** Items, or one value that is none of a list. */
  abstract decode(
    answer: DecoderContext,
  ): Iterable<unknown> | AsyncIterable<unknown> | Promise<Iterable<unknown> | object> | object

  /** True for bodies larger than memory: they are decoded piece by piece, and `body` and `text` are empty. */
  get isStreamed(): boolean {
    return false
  }
}
