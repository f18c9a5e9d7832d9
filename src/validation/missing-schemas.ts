/** A stream + the connector's folder → the schema files it names that are not there. */
import { readConnectorFile } from '../connector/read-file.ts'
import { isComponent } from '../engine/manifest/components.ts'
import type { Component, Manifest } from '../engine/manifest/manifest.ts'
import { schemaPathsOf } from '../engine/opening/load-schema-file.ts'
import { componentIn, componentsIn } from '../engine/plan/read-fields.ts'
import { planSchemaFile } from '../engine/plan/schema.ts'
import { ConnectorError, type Problem } from '../std/errors.ts'

/** Files whose names a config decides are passed over. Airbyte runs no stream without its file; here most can be read. */
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
        wrong(`The schema ${paths[0]} does not exist${meanwhile(severity)}.`, toDo)
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error
      wrong(error.message, error.hint)
    }
  }
  return problems
}

const toDo = "Add the file to the connector's folder, or write the schema into the manifest with `InlineSchemaLoader`."

function meanwhile(severity: Problem['severity']): string {
  return severity === 'error' ? ', and records are to be made to fit it' : '; until it does, columns follow the records'
}

/** Records that are made to fit their schema cannot be read without it. */
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
