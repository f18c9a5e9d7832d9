/** The folders of connectors → a summary of each, and the folders that cannot be opened. */
import { isUrl } from '../../std/text/is-url.ts'
import { ConnectorError } from '../../std/errors.ts'
import { checkManifest } from '../../engine/manifest/check.ts'
import { parseText } from '../../engine/manifest/parse.ts'
import { evaluateTemplate } from '../../engine/template/evaluate-template.ts'
import { followPath } from '../../std/values/get-at.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import type { ConnectorListing, ConnectorSummary, SkippedFolder } from '../wire/connector.ts'
import type { LargeManifests } from '../large-manifests.ts'
import type { ConnectorFolders } from './folders.ts'
import { readManifestFile, manifestFileText } from './manifest-file.ts'

type Summary = Pick<ConnectorSummary, 'baseUrl' | 'isBaseTemplate' | 'streams' | 'errors'>

export function summaryOf(text: string): Summary {
  const { manifest, problems } = checkManifest(text)
  const errors = problems.filter(({ severity }) => severity === 'error').length
  // A manifest with errors has names too.
  const root = manifest?.root ?? readable(text)
  const written = writtenBaseUrl(root)
  return {
    baseUrl: baseUrlOf(root, written),
    isBaseTemplate: written?.includes('{{') === true,
    streams: textsIn(followPath(root, ['streams', '*', 'name'])),
    errors,
  }
}

function readable(text: string): unknown {
  try {
    return parseText(text).value
  } catch (error) {
    if (error instanceof ConnectorError || error instanceof RangeError) return null
    throw error
  }
}

function textsIn(value: unknown): string[] {
  return isList(value) ? value.filter((one) => typeof one === 'string') : []
}

function writtenBaseUrl(root: unknown): string | null {
  const requester = followPath(root, ['streams', '0', 'retriever', 'requester'])
  const written = followPath(requester, ['url_base']) ?? followPath(requester, ['url'])
  return typeof written === 'string' ? written : null
}

/** Evaluated with the default inputs of the spec. */
function baseUrlOf(root: unknown, written: string | null): string | null {
  if (written === null) return null
  const config = defaultConfig(root)
  // An input without a default evaluates to nothing: `https://.example` is no address.
  if (
    [...written.matchAll(inputReference)].some(([, dotted, quoted]) => !Object.hasOwn(config, dotted ?? quoted ?? ''))
  ) {
    return null
  }
  try {
    const url = evaluateTemplate(written, { config, parameters: {} })
    return typeof url === 'string' && /^https?:\/\/[^/]/i.test(url) && isUrl(url) ? url : null
  } catch (error) {
    if (error instanceof ConnectorError) return null
    throw error
  }
}

/** `{{ config.shop }}`, `{{ config['shop'] }}`, and nothing else that could give another value. */
const inputReference = /\{\{-?\s*config(?:\.(\w+)|\[\s*['"](.+?)['"]\s*\])\s*-?\}\}/g

function defaultConfig(root: unknown): Record<string, unknown> {
  const inputs = followPath(root, ['spec', 'connection_specification', 'properties'])
  if (!isObject(inputs)) return {}
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([name, input]) =>
      isObject(input) && input.default !== undefined ? [[name, input.default]] : [],
    ),
  )
}

async function summarize(text: string, large: LargeManifests): Promise<Summary> {
  if (!large.isLarge(text)) return summaryOf(text)
  return JSON.parse(String(await large.run({ kind: 'summarize', text }))) as Summary
}

/** Caches summaries by version: checking two hundred manifests takes seconds, reading them does not. */
export function listingOf(
  folders: ConnectorFolders,
  large: LargeManifests,
): () => Promise<Omit<ConnectorListing, 'home'>> {
  let known = new Map<string, Summary>()
  return async () => {
    const { named, others } = await folders.list()
    const connectors: ConnectorSummary[] = []
    const skipped: SkippedFolder[] = others.map((folder) => ({ folder, reason: badName }))
    const seen = new Map<string, Summary>()
    for (const name of named) {
      try {
        const manifest = await manifestOf(folders, name)
        if (manifest === null) continue
        const { version, changedAt } = manifest
        const summary = known.get(version) ?? (await summarize(manifestFileText(manifest), large))
        seen.set(version, summary)
        connectors.push({ name, version, changedAt: changedAt.toISOString(), ...summary })
      } catch (error) {
        if (!(error instanceof ConnectorError)) throw error
        skipped.push({ folder: name, reason: error.message })
      }
    }
    known = seen
    return { connectors, skipped }
  }
}

const badName = 'The name of a connector has lower-case letters, digits, `-` and `_`, at most 63.'

/** Null where there is none, or where it was deleted in between. */
async function manifestOf(folders: ConnectorFolders, name: string) {
  const folder = await folders.find(name)
  return folder === null ? null : readManifestFile(folder)
}
