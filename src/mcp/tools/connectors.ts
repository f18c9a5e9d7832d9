/** Connectors on disk: list, create, read, edit. */
import { z } from 'zod'
import { join } from 'node:path'
import { connectorUsers } from '../../connections/connector-users.ts'
import { connectorName } from '../../server/wire/connector.ts'
import type { Inspection } from '../../server/wire/inspection.ts'
import { ConnectorError } from '../../std/errors.ts'
import { parseJson } from '../../std/json.ts'
import { count } from '../../std/text/format-count.ts'
import { isObject } from '../../std/values/objects.ts'
import { ConflictError } from '../call-tool.ts'
import { type McpContext, tool, type ToolCall } from '../tool.ts'
import { configFor, configInput, manifestGiven, problemOutput, sourceInput, streamInput } from './source.ts'

const from = z.number().int().min(0).default(0)
const int = z.number().int()

export const listConnectorsTool = tool({
  name: 'list_connectors',
  title: 'List connectors',
  description: 'Lists the saved connectors by name: streams, base URL, number of errors.',
  isReadOnly: true,
  input: z.object({ from, count: z.number().int().min(1).max(100).default(50) }),
  output: z.object({
    total: int,
    connectors: z.array(
      z.object({
        name: z.string(),
        version: z.string(),
        baseUrl: z.string().nullable(),
        streams: z.array(z.string()).describe('The first 50.'),
        errors: int,
      }),
    ),
  }),
  async run({ from: first, count: most }, { workspace }) {
    const { connectors } = await workspace.connectors.list()
    const shown = connectors.slice(first, first + most).map(({ name, version, baseUrl, streams, errors }) => ({
      name,
      version,
      baseUrl,
      streams: streams.slice(0, 50),
      errors,
    }))
    return { says: count(connectors.length, 'connector'), value: { total: connectors.length, connectors: shown } }
  },
})

/** What is wrong with a manifest, in a size that a client can read. */
const checkOutput = {
  errors: int,
  warnings: int,
  problems: z.array(problemOutput).describe('Errors first; the first 30.'),
  streams: z.array(z.object({ name: z.string(), runs: z.boolean(), line: int.optional() })).describe('The first 100.'),
  inputs: z
    .array(z.object({ name: z.string(), type: z.string(), isRequired: z.boolean(), isSecret: z.boolean() }))
    .describe('What the config may have.'),
}

async function inspected(
  context: McpContext,
  { signal }: ToolCall,
  request: Parameters<McpContext['workspace']['inspect']>[0],
  folder: string | null,
): Promise<Inspection> {
  const text = await context.workspace.inspect(request, folder, signal)
  if (text === null) throw new ConnectorError('response/aborted', 'The call was cancelled.')
  return parseJson(text).value as Inspection
}

function checkOf({ problems, streams, spec }: Inspection) {
  const of = (severity: string) => problems.filter((one) => one.severity === severity)
  const [errors, warnings, notes] = [of('error'), of('warning'), of('note')]
  return {
    errors: errors.length,
    warnings: warnings.length,
    problems: [...errors, ...warnings, ...notes].slice(0, 30),
    streams: streams.slice(0, 100).map(({ name, runs, at }) => ({
      name,
      runs,
      ...(at.line !== undefined && { line: at.line }),
    })),
    inputs: inputsOf(spec),
  }
}

function inputsOf(spec: Inspection['spec']) {
  const properties = isObject(spec?.properties) ? spec.properties : {}
  const required = Array.isArray(spec?.required) ? spec.required : []
  return Object.entries(properties)
    .slice(0, 100)
    .map(([name, schema]) => ({
      name,
      type: isObject(schema) && typeof schema.type === 'string' ? schema.type : 'any',
      isRequired: required.includes(name),
      isSecret: isObject(schema) && schema.airbyte_secret === true,
    }))
}

function saysCheck({ errors, warnings, streams }: ReturnType<typeof checkOf>): string {
  const running = streams.filter(({ runs }) => runs).length
  return `${count(errors, 'error')}, ${count(warnings, 'warning')}; ${running} of ${count(streams.length, 'stream')} can run.`
}

export const createConnectorTool = tool({
  name: 'create_connector',
  title: 'Create a connector',
  description:
    'Saves a manifest as a new connector. Any text is accepted, also one that cannot run yet; the result lists its problems.',
  isReadOnly: false,
  input: z.object({ connector: connectorName, text: z.string().describe('The manifest, YAML or JSON.') }),
  output: z.object({ connector: z.string(), version: z.string(), ...checkOutput }),
  async run({ connector, text }, context, call) {
    await refuseInUse(connector, context)
    const { version } = await context.workspace.connectors.create(connector, text)
    const check = checkOf(await inspected(context, call, { text, connector }, null))
    return { says: `Created ${connector}. ${saysCheck(check)}`, value: { connector, version, ...check } }
  },
})

/** Characters; more is read with `fromLine`. */
const mostText = 60_000

export const readManifestTool = tool({
  name: 'read_manifest',
  title: 'Read a manifest',
  description: 'Returns the text of a saved manifest, in parts of lines, with its version and its problems.',
  isReadOnly: true,
  input: z.object({
    connector: connectorName,
    fromLine: z.number().int().min(1).default(1),
    lines: z.number().int().min(1).max(2000).default(500),
  }),
  output: z.object({
    connector: z.string(),
    version: z.string().describe('Name it in `basedOn` of edit_manifest.'),
    text: z.string(),
    fromLine: int,
    nextLine: int.nullable().describe('Where the next part starts; null at the end.'),
    totalLines: int,
    files: z.array(z.string()).describe('Other files of the folder.'),
    ...checkOutput,
  }),
  async run({ connector, fromLine, lines }, context, call) {
    const { text, version, files } = await context.workspace.connectors.open(connector)
    const folder = await context.workspace.connectors.folderOf(connector)
    const all = text.split('\n')
    const part = linesWithin(all.slice(fromLine - 1, fromLine - 1 + lines))
    const next = fromLine + part.length
    const check = checkOf(await inspected(context, call, { text, connector }, folder))
    return {
      says: `${connector}: lines ${fromLine} to ${next - 1} of ${all.length}. ${saysCheck(check)}`,
      value: {
        connector,
        version,
        text: part.join('\n'),
        fromLine,
        nextLine: next > all.length ? null : next,
        totalLines: all.length,
        files: files.slice(0, 50),
        ...check,
      },
    }
  },
})

/** At least one line, however long. */
function linesWithin(lines: readonly string[]): string[] {
  let left = mostText
  return lines.filter((line, index) => {
    left -= line.length + 1
    return index === 0 || left >= 0
  })
}

export const editManifestTool = tool({
  name: 'edit_manifest',
  title: 'Edit a manifest',
  description:
    'Saves a change of a connector: a whole new `text`, or `changes` that each replace a text that is there once. `basedOn` is the version that was read; if another client saved in between, nothing is written. Earlier versions are kept.',
  isReadOnly: false,
  isDestructive: true,
  input: z.object({
    connector: connectorName,
    basedOn: z.string().describe('The version that read_manifest returned.'),
    text: z.string().optional().describe('The whole new manifest.'),
    changes: z
      .array(z.object({ find: z.string().min(1), replace: z.string() }))
      .min(1)
      .max(50)
      .optional()
      .describe('Made one after the other; every other line is kept.'),
  }),
  output: z.object({ connector: z.string(), version: z.string(), ...checkOutput }),
  async run({ connector, basedOn, text, changes }, context, call) {
    if ((text === undefined) === (changes === undefined)) {
      throw new ConnectorError('mcp/invalid-arguments', 'Give either `text` or `changes`.')
    }
    const before = await context.workspace.connectors.open(connector)
    if (before.version !== basedOn) throw new ConflictError(connector, before.version)
    const after = text ?? (changes ?? []).reduce(replaceOnce, before.text)
    return saveManifest({ connector, basedOn, text: after }, context, call)
  },
})

function replaceOnce(text: string, { find, replace }: { readonly find: string; readonly replace: string }): string {
  const times = text.split(find).length - 1
  if (times === 1) return text.replace(find, () => replace)
  const start = JSON.stringify(find.slice(0, 80))
  throw new ConnectorError(
    'mcp/no-match',
    `The text ${start} is ${times === 0 ? 'not there' : `there ${times} times`}.`,
  )
}

type Save = { readonly connector: string; readonly basedOn: string; readonly text: string }

/** Saved only where no one else saved since `basedOn`. */
export async function saveManifest({ connector, basedOn, text }: Save, context: McpContext, call: ToolCall) {
  await refuseInUse(connector, context)
  const { connectors } = context.workspace
  const outcome = await connectors.save(connector, text, basedOn)
  if (outcome.kind !== 'saved') throw new ConflictError(connector, outcome.version)
  const folder = await connectors.folderOf(connector)
  const check = checkOf(await inspected(context, call, { text, connector }, folder))
  const { version } = outcome.saved
  return { says: `Saved ${connector}. ${saysCheck(check)}`, value: { connector, version, ...check } }
}

/** A connection sends its credentials wherever its connector says, by a schedule perhaps, so a client must not change that. */
async function refuseInUse(connector: string, { services: { home } }: McpContext): Promise<void> {
  const [first] = await connectorUsers(home, connector)
  if (first === undefined) return
  const message = `The connection "${first.name}" uses ${join('connectors', connector)}, with its own credentials.`
  throw new ConnectorError('mcp/in-use', message)
}

export const validateManifestTool = tool({
  name: 'validate_manifest',
  title: 'Validate a manifest',
  description:
    'Reports every problem of a manifest with its line, which streams can run, and the inputs of its config. Sends nothing.',
  isReadOnly: true,
  input: z.object(sourceInput),
  output: z.object(checkOutput),
  async run(given, context, call) {
    const { text, folder } = await manifestGiven(given, context)
    const check = checkOf(await inspected(context, call, { text, connector: given.connector }, folder))
    return { says: saysCheck(check), value: check }
  },
})

export const previewRequestsTool = tool({
  name: 'preview_requests',
  title: 'Preview requests',
  description:
    'Shows the first requests that a stream would send, with their pagination, and when it would stop. Sends nothing.',
  isReadOnly: true,
  input: z.object({ ...sourceInput, stream: streamInput, config: configInput }),
  output: z.object({
    stream: z.string(),
    requests: z.array(
      z.object({
        method: z.string(),
        url: z.string(),
        headers: z.record(z.string(), z.string()),
        body: z.string().nullable(),
        when: z.string(),
        marks: z
          .array(z.object({ what: z.string(), place: z.string(), name: z.string(), value: z.string() }))
          .describe('What pagination puts into the request.'),
      }),
    ),
    stops: z.string(),
    trouble: z.string().nullable().describe('Why requests are missing.'),
  }),
  async run({ stream, config, ...given }, context, call) {
    const { text, folder } = await manifestGiven(given, context)
    const marked = configFor(config, text, context)
    const request = { text, connector: given.connector, stream, config: marked }
    const { preview } = await inspected(context, call, request, folder)
    const { requests, stops, trouble } = preview ?? { requests: [], stops: '', trouble: 'There is no such stream.' }
    const isMissing = requests.length === 0 && trouble !== null
    const says = isMissing ? 'No request can be shown; `trouble` says why.' : count(requests.length, 'request')
    return { says, value: { stream, requests, stops, trouble } }
  },
})
