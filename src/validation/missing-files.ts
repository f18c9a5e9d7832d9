/** A part of a manifest + the connector's folder → the classes it names that are not there yet. */
import { loadClass, locateClass } from '../connector/load-class.ts'
import type { CustomBase } from '../engine/custom/component.ts'
import { customClassesIn, customRoleOf } from '../engine/manifest/custom-types.ts'
import type { Component, Manifest } from '../engine/manifest/manifest.ts'
import { ConnectorError, type ErrorCode, type Problem, type SourceLocation } from '../std/errors.ts'
import * as library from '../index.ts'
import { readConnectorFile } from '../connector/read-file.ts'
import { isComponent } from '../engine/manifest/components.ts'
import { schemaPathsOf } from '../engine/opening/load-schema-file.ts'
import { componentIn, componentsIn } from '../engine/plan/read-fields.ts'
import { planSchemaFile } from '../engine/plan/schema.ts'

export type MissingClass = {
  readonly className: string
  readonly at: SourceLocation
  readonly role: string
  /** What it extends, from `turnleaf`. */
  readonly base: string
  /** Only a config that chooses it needs it. */
  readonly isOneChoice: boolean
  /** Why it cannot be used: usually it is not written yet. */
  readonly reason: string
  readonly code: ErrorCode
  readonly hint: string
}

export async function missingClasses(
  manifest: Manifest,
  part: Component,
  folder: string | null,
): Promise<MissingClass[]> {
  const missing = new Map<string, MissingClass>()
  for (const { className, type, node, isOneChoice } of customClassesIn(part)) {
    const { role, base } = customRoleOf(type) ?? { role: 'class', base: '' }
    const Base = (library as Readonly<Record<string, unknown>>)[base] as CustomBase | undefined
    // Unsupported types are reported elsewhere.
    if (Base === undefined || missing.has(`${type} ${className}`)) continue
    const at = manifest.at(node, 'class_name')
    try {
      if (folder === null) throw withoutFolder(role, className)
      await loadClass(folder, { role, className, at }, Base)
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error
      const reason = reasonOf(error, className)
      const { code, hint } = error
      missing.set(`${type} ${className}`, { className, at, role, base, isOneChoice, reason, code, hint })
    }
  }
  return [...missing.values()]
}

function withoutFolder(role: string, className: string): ConnectorError {
  return new ConnectorError('plan/no-folder', `The ${role} \`${className}\` must be in the folder of the connector.`)
}

/** For a missing file, the path to write it to. */
function reasonOf({ code, message, at }: ConnectorError, className: string): string {
  return code === 'plan/class-file-missing' ? `write it in ${locateClass(className, at).file}.ts` : message
}

/** Skips files whose names depend on the config. Airbyte runs no stream without its file; here most can be read. */
export async function missingSchemas(manifest: Manifest, stream: Component, folder: string): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const { half, loader } of fileLoadersOf(stream)) {
    const plan = planSchemaFile({ manifest, config: {} }, half, loader)
    const { path, at } = plan
    if ([...path.names].some((name) => name !== 'parameters')) continue
    const severity = needsSchema(half) ? 'error' : 'warning'
    const wrong = (message: string, hint: string) =>
      problems.push({ code: 'records/schema-file', severity, message, at, hint })
    try {
      const paths = schemaPathsOf(plan, {})
      const texts = await Promise.all(paths.map((one) => readConnectorFile(folder, one, at)))
      if (texts.every((text) => text === null))
        wrong(`The schema ${paths[0]} does not exist${consequence(severity)}.`, toDo)
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error
      wrong(error.message, error.hint)
    }
  }
  return problems
}

const toDo = "Add the file to the connector's folder, or write the schema into the manifest with `InlineSchemaLoader`."

function consequence(severity: Problem['severity']): string {
  return severity === 'error' ? ', and records must be normalized to it' : '; columns are inferred from the records'
}

/** Records that are normalized to their schema cannot be read without it. */
function needsSchema(stream: Component): boolean {
  const retriever = componentIn(stream, 'retriever')
  const selector = retriever === null ? null : componentIn(retriever, 'record_selector')
  return (selector?.schema_normalization ?? 'None') !== 'None'
}

type FileLoader = { readonly half: Component; readonly loader: Component }

function fileLoadersOf(stream: Component): FileLoader[] {
  const halves = isComponent(stream, 'StateDelegatingStream')
    ? [stream.full_refresh_stream, stream.incremental_stream]
    : [stream]
  return halves.flatMap((half) =>
    componentsIn(half as Component, 'schema_loader')
      .filter(({ type }) => type === 'JsonFileSchemaLoader')
      .map((loader) => ({ half: half as Component, loader })),
  )
}
