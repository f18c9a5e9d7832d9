/** The public door: describe an API once, read every page of it. */
export { type LoadedManifest, loadManifest } from './connector/load-manifest.ts'
export type { NormalizedConfig } from './engine/config/normalize-config.ts'
export type { PageResponse } from './engine/pages/page.ts'
export type { StopReason } from './engine/pagination/next-page.ts'
export type { Config, JsonRecord, JsonSchema } from './engine/plan/plan.ts'
export type { StreamPlan } from './engine/plan/stream.ts'
export { planStream } from './engine/plan/stream.ts'
export type { HttpRequest } from './engine/request/http-request.ts'
export type { PageToken } from './engine/request/page-token.ts'
export type { Notice } from './engine/response/notice.ts'
export { openTokens, type Tokens } from './engine/run/tokens.ts'
export type { Slice } from './engine/slices/slice.ts'
export type { StreamState } from './engine/slices/stream-cursor.ts'
export { evaluateTemplate } from './engine/template/evaluate-template.ts'
export { ConnectorError, type ErrorCode, type FailureType, type Problem, type SourceLocation } from './std/errors.ts'
export { LongDecimal, parseJson, stringifyJson } from './std/json.ts'
export { destinationAt } from './destinations/open-destination.ts'
export type {
  Claim,
  Commit,
  Destination,
  HeldClaim,
  LandedPage,
  OpenDestination,
  QueryResult,
  RowsOfSlice,
  Step,
  StoredCheckpoint,
  StoredNote,
  Table,
  TableMode,
  TablePage,
  TableRows,
} from './destinations/destination.ts'
export { applyEdits } from './proof/diagnosis/apply-edits.ts'
export type { DiagnoseOptions } from './proof/diagnosis/diagnose.ts'
export type { Diagnosis, Evidence, Finding, Fix, ManifestEdit, Retest } from './proof/diagnosis/diagnosis.ts'
export { type FindingCode, findingTitles } from './proof/diagnosis/finding-codes.ts'
export type { FixedManifest, Mended } from './proof/diagnosis/diagnose-and-fix.ts'
export type { DetectOptions } from './proof/detection/detect.ts'
export type { Candidate, Detection, DetectionRequest } from './proof/detection/detection.ts'
export type { Probe } from './proof/probe.ts'
export type { Requirement, Verdict } from './proof/verdict/verdict-name.ts'
export type { Claimed, Receipt, SliceReceipt, StreamProof } from './proof/receipts/receipt.ts'
export type { SyncEnding, SyncEvent, SyncResult } from './sync/events.ts'
export type { Held } from './sync/gate.ts'
export { type SyncMode, syncModes } from './sync/mode-names.ts'
export type { PublishOptions, PublishResult } from './sync/publish.ts'
export type { StreamEnding, StreamReceipt } from './sync/receipt.ts'
export type { SyncOptions } from './sync/sync.ts'
export type { ImportedApi, ImportOptions } from './import/import-openapi.ts'
export type { ImportReport, ReportedStream } from './import/import-api.ts'
export type { Difference, DifferenceIn } from './recordings/compare-read.ts'
export type { RecordedStream, RecordOptions } from './recordings/record-connector.ts'
export type { ConnectorTest, ConnectorTestOptions, StreamTest } from './recordings/test-connector.ts'
export {
  detect,
  diagnose,
  diagnoseAndFix,
  importOpenApi,
  mend,
  normalizeConfig,
  publish,
  recordConnector,
  sync,
  testConnector,
  validateConfig,
} from './load-when-called.ts'
export type { Page, ReadOptions } from './read.ts'
export { readPages, readRecords } from './read-manifest.ts'

// What classes of a connector's own extend, and what their methods are given.
export {
  type Authentication,
  Authenticator,
  type AuthRequest,
  type AuthTools,
  type FetchedToken,
} from './engine/auth/custom-authenticator.ts'
export { ConfigTransformation } from './engine/config/change-config.ts'
export { ValidationStrategy } from './engine/config/validate-config.ts'
export { CustomComponent, type CustomOptions } from './engine/custom/component.ts'
export {
  type FetchedJson,
  type FetchJson,
  type FetchRequest,
  type Retrieved,
  Retriever,
  type RetrieverContext,
} from './engine/pages/retriever.ts'
export { type PageContext, PaginationStrategy, type TokenValue } from './engine/pagination/strategy.ts'
export type { ResponseAction } from './engine/plan/error-handler.ts'
export {
  type RecordContext,
  RecordExtractor,
  RecordFilter,
  RecordTransformation,
} from './engine/records/record-classes.ts'
export { type SchemaContext, SchemaLoader, SchemaNormalization } from './engine/records/record-classes.ts'
export { type RequestContext, Requester } from './engine/request/requester.ts'
export { Decoder, type DecoderContext } from './engine/response/decoder.ts'
export type { AnswerContext } from './engine/response/rules/response-context.ts'
export { type BackoffContext, BackoffStrategy } from './engine/response/rules/wait-with.ts'
export { type ErrorContext, ErrorHandler, type Interpretation } from './engine/response/rules/judge-with-class.ts'
export { PartitionRouter, type RoutedPartition, type RouterParent } from './engine/slices/router.ts'
export { StateMigration } from './engine/slices/migrate-state.ts'
