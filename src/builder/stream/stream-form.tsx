/** One stream, section by section, in the order in which a page is turned. */
import type { StreamPlace } from '../editor/use-streams.ts'
import { PaginationSection } from './pagination/pagination-section.tsx'
import { RecordsSection } from './records/records-section.tsx'
import { RequestSection } from './request/request-section.tsx'

export function StreamForm({ stream }: { stream: StreamPlace }) {
  return (
    <form className="stream-form" onSubmit={(event) => event.preventDefault()}>
      <RequestSection stream={stream} />
      <RecordsSection stream={stream} />
      <PaginationSection stream={stream} />
    </form>
  )
}
