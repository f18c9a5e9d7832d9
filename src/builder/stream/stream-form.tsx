/** One stream, section by section, in the order in which a page is turned. */
import type { StreamPlace } from '../editor/use-streams.ts'
import { ErrorsSection } from './errors/errors-section.tsx'
import { IncrementalSection } from './incremental/incremental-section.tsx'
import { PaginationSection } from './pagination/pagination-section.tsx'
import { PartitionsSection } from './partitions/partitions-section.tsx'
import { RecordsSection } from './records/records-section.tsx'
import { RequestSection } from './request/request-section.tsx'
import { SchemaSection } from './schema/schema-section.tsx'
import { TransformationsSection } from './transformations/transformations-section.tsx'

export function StreamForm({ stream }: { stream: StreamPlace }) {
  return (
    <form className="stream-form" onSubmit={(event) => event.preventDefault()}>
      <RequestSection stream={stream} />
      <RecordsSection stream={stream} />
      <PaginationSection stream={stream} />
      <PartitionsSection stream={stream} />
      <IncrementalSection stream={stream} />
      <ErrorsSection stream={stream} />
      <TransformationsSection stream={stream} />
      <SchemaSection stream={stream} />
    </form>
  )
}
