/** The right column: read some pages, and see each of them. */
export function TestPanel({ stream }: { stream: string | null }) {
  return <p>{stream === null ? 'Add a stream to test it.' : `Test ${stream}`}</p>
}
