/** The custom classes a connector may have: the role of each, and the base class it extends. */
import { type ComponentType, componentsWithin } from './components.ts'

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

export type CustomClass = {
  readonly className: string
  readonly type: string
  readonly node: object
  /** Another authenticator does without it: only a config that chooses this one needs the class. */
  readonly isOneChoice: boolean
}

/** Every class that this part of a manifest names. */
export function customClassesIn(node: unknown): CustomClass[] {
  const components = componentsWithin(node)
  const choices = new Set(components.flatMap(({ type, node: one }) => (isSelective(type) ? choicesIn(one) : [])))
  return components.flatMap(({ type, node: component }) => {
    const { class_name } = component as { class_name?: unknown }
    if (customRoleOf(type) === null) return []
    return [{ className: String(class_name), type, node: component, isOneChoice: choices.has(component) }]
  })
}

function isSelective(type: string): boolean {
  return type === 'SelectiveAuthenticator'
}

/** The components of the authenticators to choose from, where one of them needs no class. */
function choicesIn(selective: object): object[] {
  const { authenticators } = selective as { authenticators?: object }
  const ways = Object.values(authenticators ?? {}).map((way) => componentsWithin(way))
  const hasPlain = ways.some((way) => way.every(({ type }) => customRoleOf(type) === null))
  return hasPlain ? ways.flat().map(({ node }) => node) : []
}

/** Null for types that are not custom. */
export function customRoleOf(type: string): Role | null {
  return Object.hasOwn(roles, type) ? roles[type as keyof typeof roles] : null
}
