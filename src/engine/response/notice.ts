/** What happened on the way to an answer that a reader of pages may want to show. URLs pass the caller's redactor first. */
export type Notice =
  | { kind: 'retry'; attempt: number; waitMs: number; reason: string; url: string }
  | { kind: 'ignored'; reason: string; url: string }
  /** Nothing is lost, but somebody should know. */
  | { kind: 'warning'; text: string }
  | { kind: 'foreign-origin'; from: string; to: string; dropped: string[] }
