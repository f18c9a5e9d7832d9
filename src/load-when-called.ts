/**
 * The public functions that most programs call once or never. Each loads its code when it is called, so that importing
 * the package costs no more than loading and planning a manifest needs.
 */
import type { ImportOptions, ImportedApi } from './import/import-openapi.ts'
import type { LoadedManifest } from './connector/load-manifest.ts'
import type { NormalizedConfig } from './engine/config/normalize-config.ts'
import type { Config } from './engine/plan/plan.ts'
import type { DetectOptions } from './proof/detection/detect.ts'
import type { Detection, DetectionRequest } from './proof/detection/detection.ts'
import type { DiagnoseOptions } from './proof/diagnosis/diagnose.ts'
import type { FixedManifest } from './proof/diagnosis/diagnose-and-fix.ts'
import type { Diagnosis } from './proof/diagnosis/diagnosis.ts'
import type { RecordedStream, RecordOptions } from './recordings/record-connector.ts'
import type { ConnectorTest, ConnectorTestOptions } from './recordings/test-connector.ts'
import type { SyncResult } from './sync/events.ts'
import type { PublishOptions, PublishResult } from './sync/publish.ts'
import type { SyncOptions } from './sync/sync.ts'

/**
 * Writes every stream to a destination. Killed at any moment, the next call resumes from the last committed page.
 * Throws on errors of the manifest, the config or the destination; the outcome of each stream is in the result.
 *
 * @example const { receipts } = await sync(manifest, { config, to: 'duckdb:shop.duckdb' })
 */
export async function sync(manifest: LoadedManifest, options: SyncOptions): Promise<SyncResult> {
  const loaded = await import('./sync/sync.ts')
  return await loaded.sync(manifest, options)
}

/**
 * Migrates a config, then derives what the manifest wants derived, with the custom classes in the folder of the manifest.
 * Not twice: a change need not come out the same when it is applied to its own result.
 *
 * @param _tools of earlier versions, without effect.
 * @example const { config, migrated } = await normalizeConfig(manifest, given)
 */
export async function normalizeConfig(
  manifest: LoadedManifest,
  given: Config,
  _tools?: object,
): Promise<NormalizedConfig> {
  const { customToolsOf } = await import('./read.ts')
  const loaded = await import('./engine/config/normalize-config.ts')
  return await loaded.normalizeConfig(manifest, given, customToolsOf(manifest))
}

/**
 * Throws when a normalized config does not fit the spec, or does not pass the manifest's own validations. Returns what
 * could not be checked.
 *
 * @param _tools of earlier versions, without effect.
 * @example const warnings = await validateConfig(manifest, config)
 */
export async function validateConfig(manifest: LoadedManifest, config: Config, _tools?: object): Promise<string[]> {
  const { customToolsOf } = await import('./read.ts')
  const loaded = await import('./engine/config/normalize-config.ts')
  return await loaded.validateConfig(manifest, config, customToolsOf(manifest))
}

/**
 * Publishes the rows of a stream that the last sync held: they replace the table in one transaction.
 *
 * @example const { before, after } = await publish('orders', { to: 'duckdb:shop.duckdb' })
 */
export async function publish(stream: string, options: PublishOptions): Promise<PublishResult> {
  const loaded = await import('./sync/publish.ts')
  return await loaded.publish(stream, options)
}

/**
 * Reads some pages as the manifest says, and sends a few more requests where something is wrong. Changes nothing: each
 * fix says what it would change, and what the changed manifest reads.
 *
 * @example const { findings } = await diagnose(text, { stream: 'orders', config })
 */
export async function diagnose(text: string, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const loaded = await import('./proof/diagnosis/diagnose.ts')
  return await loaded.diagnose(text, options)
}

/**
 * Diagnoses, applies only changes that were re-tested, and diagnoses again after each.
 *
 * @example const { text, applied } = await diagnoseAndFix(manifestText, { stream: 'orders', config })
 */
export async function diagnoseAndFix(text: string, options: DiagnoseOptions = {}): Promise<FixedManifest> {
  const loaded = await import('./proof/diagnosis/diagnose-and-fix.ts')
  return await loaded.diagnoseAndFix(text, options)
}

/** @deprecated Use `diagnoseAndFix`. */
export const mend = diagnoseAndFix

/**
 * Finds out how an API paginates, with a few requests. Throws where the API refuses the given request.
 *
 * @example const { answer, manifest } = await detect({ url: 'https://api.example.com/v1/orders' })
 */
export async function detect(request: DetectionRequest, options: DetectOptions = {}): Promise<Detection> {
  const loaded = await import('./proof/detection/detect.ts')
  return await loaded.detect(request, options)
}

/**
 * Reads some pages of each stream and keeps the exchanges, without secrets, in `recordings/` next to the manifest.
 *
 * @example const results = await recordConnector('shop', { config, streams: ['orders'] })
 */
export async function recordConnector(path: string, options: RecordOptions = {}): Promise<RecordedStream[]> {
  const loaded = await import('./recordings/record-connector.ts')
  return await loaded.recordConnector(path, options)
}

/**
 * Replays the recordings of a connector without network and credentials, and compares requests, records, receipts and schema.
 *
 * @example const { results } = await testConnector('shop')
 */
export async function testConnector(path: string, options: ConnectorTestOptions = {}): Promise<ConnectorTest> {
  const loaded = await import('./recordings/test-connector.ts')
  return await loaded.testConnector(path, options)
}

/**
 * Makes a connector from an OpenAPI description: its text, or its URL. The pagination is proposed; with a config it is
 * confirmed by asking the API.
 *
 * @example const { manifest, report } = await importOpenApi('https://api.example.com/openapi.json', { only: ['orders'] })
 */
export async function importOpenApi(source: string, options: ImportOptions = {}): Promise<ImportedApi> {
  const loaded = await import('./import/import-openapi.ts')
  return await loaded.importOpenApi(source, options)
}
