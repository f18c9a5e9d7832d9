/** What a read leaves behind so that the next one can go on, in the shapes Airbyte keeps it. */

export type StreamState = Readonly<Record<string, unknown>>

/** Airbyte: what a stream without a cursor leaves behind once it was read whole. */
export const wholeReadState: StreamState = { __ab_no_cursor_state_message: true }
