/** Whatever was thrown → its message. */

export function messageOf(error: unknown): string {
  // Every address of a name failed: such an error has no message of its own.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  if (error instanceof Error) return error.message
  return typeof error === 'object' && error !== null ? thrownObject(error) : String(error)
}

const longest = 300

/** A custom class may throw anything, such as the body of a response. */
function thrownObject(thrown: object): string {
  const { message } = thrown as { message?: unknown }
  if (typeof message === 'string') return message
  try {
    return (JSON.stringify(thrown) ?? nameOf(thrown)).slice(0, longest)
  } catch {
    return nameOf(thrown)
  }
}

function nameOf(thrown: object): string {
  return Object.prototype.toString.call(thrown)
}
