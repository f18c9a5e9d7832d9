/** What a connector may write itself: the role each such class plays, and the base class it extends. */
import type { ComponentType } from './components.ts'

type Role = { readonly role: string; readonly base: string }

const roles = {
  CustomAuthenticator: { role: 'authenticator', base: 'Authenticator' },
  CustomBackoffStrategy: { role: 'backoff strategy', base: 'BackoffStrategy' },
  CustomConfigTransformation: { role: 'config transformation', base: 'ConfigTransformation' },
  CustomDecoder: { role: 'decoder', base: 'Decoder' },
  CustomErrorHandler: { role: 'error handler', base: 'ErrorHandler' },
  CustomIncrementalSync: { role: 'incremental sync', base: 'IncrementalSync' },
  CustomPaginationStrategy: { role: 'pagination strategy', base: 'PaginationStrategy' },
  CustomPartitionRouter: { role: 'partition router', base: 'PartitionRouter' },
  CustomRecordExtractor: { role: 'record extractor', base: 'RecordExtractor' },
  CustomRecordFilter: { role: 'record filter', base: 'RecordFilter' },
  CustomRequester: { role: 'requester', base: 'Requester' },
  CustomRetriever: { role: 'retriever', base: 'Retriever' },
  CustomSchemaLoader: { role: 'schema loader', base: 'SchemaLoader' },
  CustomSchemaNormalization: { role: 'schema normalization', base: 'SchemaNormalization' },
  CustomStateMigration: { role: 'state migration', base: 'StateMigration' },
  CustomTransformation: { role: 'transformation', base: 'RecordTransformation' },
  CustomValidationStrategy: { role: 'validation strategy', base: 'ValidationStrategy' },
} as const satisfies Partial<Record<ComponentType, Role>>

/** Null for types that are not a connector's own. */
export function customRoleOf(type: string): Role | null {
  return Object.hasOwn(roles, type) ? roles[type as keyof typeof roles] : null
}
