/** Whatever was thrown → its message. */

export function messageOf(error: unknown): string {
  // Every address of a name failed: such an error has no message of its own.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
