/** The base class of custom partition routers. */
import { CustomComponent } from '../custom/component.ts'
import type { JsonRecord } from '../plan/plan.ts'

export type RoutedPartition = {
  /** Values that name the part; they go into its state, so they must be the same in every read. */
  readonly partition: Readonly<Record<string, unknown>>
  /** More values for templates. */
  readonly extra?: Readonly<Record<string, unknown>>
}

/** A stream that `parent_stream_configs` names, read page by page as it is looped over. */
export type RouterParent = {
  readonly name: string
  /** What the manifest calls the value of its key. */
  readonly field: string
  /** The partitions that a plain SubstreamPartitionRouter would make of it. */
  partitions(): AsyncIterable<RoutedPartition>
  records(): AsyncIterable<{ readonly record: JsonRecord; readonly partition: Readonly<Record<string, unknown>> }>
}

/**
 * Extend this in `source_<name>/<package>.ts` next to the manifest.
 *
 * ```ts
 * export class OpenProjects extends PartitionRouter {
 *   async *partitions([projects]: RouterParent[]) {
 *     for await (const { record } of projects!.records()) if (record.open) yield { partition: { project: record.id } }
 *   }
 * }
 * ```
 */
export abstract class PartitionRouter extends CustomComponent {
  abstract partitions(parents: readonly RouterParent[]): AsyncIterable<RoutedPartition> | Iterable<RoutedPartition>
}
