/** How pages follow each other, and how the values of one reach its request. */
import type { SourceLocation } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { Template } from '../template/template.ts'
import type { Parameters, Placement } from './plan.ts'

export type PaginationPlan =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'offset'; readonly pageSize: OffsetPageSize; readonly injectOnFirst: boolean } & Injection)
  | ({
      readonly kind: 'page'
      readonly pageSize: number | null
      readonly firstPage: number
      readonly injectOnFirst: boolean
    } & Injection)
  | ({
      readonly kind: 'cursor'
      readonly value: Template
      readonly stopWhen: Template | null
    } & Injection)
  | ({ readonly kind: 'custom' } & CustomPlan & Injection)

/** Airbyte evaluates an offset's page size against each response; the other methods know theirs beforehand. */
export type OffsetPageSize = number | Template | null

/** How the values of one page reach its request. */
export type Injection = {
  readonly at: SourceLocation
  readonly token: Placement | null
  /** The value is null when the connector's own class knows it. */
  readonly size: { readonly placement: Placement; readonly value: number | string | null } | null
  readonly parameters: Parameters
}
