/** A response as custom classes see it. */
import { plainNumbers } from '../../../std/json.ts'
import { decodeText, peekJson } from '../decode.ts'
import type { HttpResponse } from '../http-response.ts'

export type AnswerContext = {
  readonly status: number
  readonly url: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The decoded body; null when it is not JSON. */
  readonly body: unknown
  readonly text: string
}

/** Decoded on first use, and not again when the page is read. A copy: what a class changes in it changes no record. */
class LazyResponse implements AnswerContext {
  readonly #response: HttpResponse
  #body: { readonly copy: unknown } | null = null

  constructor(response: HttpResponse) {
    this.#response = response
  }
  get status(): number {
    return this.#response.status
  }
  get url(): string {
    return this.#response.url
  }
  get headers(): Readonly<Record<string, string>> {
    return { ...this.#response.headers }
  }
  get body(): unknown {
    this.#body ??= { copy: plainNumbers(peekJson(this.#response)?.value ?? null) }
    return this.#body.copy
  }
  get text(): string {
    return decodeText(this.#response)
  }
}

export function answerContext(response: HttpResponse): AnswerContext {
  return new LazyResponse(response)
}
