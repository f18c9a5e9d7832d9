/** What happened on the way to an answer, or to a state, that a reader of pages may want to show. URLs pass the caller's redactor first. */
export type Notice =
  | { kind: 'retry'; attempt: number; waitMs: number; reason: string; url: string }
  /** Something that loses nothing by itself but that an author would want to know. */
  | { kind: 'warning'; message: string }
  | { kind: 'ignored'; reason: string; url: string }
  | { kind: 'foreign-origin'; from: string; to: string; dropped: string[] }
