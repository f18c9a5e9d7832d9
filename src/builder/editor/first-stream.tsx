/** A connector without streams: one sentence, and the form for the first one. */
import { NewStream } from './new-stream.tsx'

export function FirstStream() {
  return (
    <div className="first-stream">
      <h2>Add the first stream</h2>
      <p>A stream is one kind of record the API offers: orders, customers, invoices.</p>
      <NewStream onEnd={() => {}} />
    </div>
  )
}
