/** What asks for the next page. Plain data: a read can stop at one and go on from it later. */
export type PageToken = {
  /** What templates see as `next_page_token['next_page_token']` and placements inject. */
  readonly value: unknown
  /** The whole address of the next page, where the token is a link. */
  readonly url?: string
}
