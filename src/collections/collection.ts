/** A folder of public manifests, such as a checkout of their repository → the connectors in it, with title and licence. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import { reasonOf } from '../connector/open-connector.ts'
import { manifestNames } from '../connector/load-manifest.ts'
import { parseText } from '../engine/manifest/parse.ts'
import { ConnectorError } from '../std/errors.ts'
import { nearMiss } from '../std/text/near-miss.ts'
import { isObject } from '../std/values/objects.ts'

export type PublicConnector = {
  /** Without `source-`. */
  readonly name: string
  readonly title: string
  /** As its description or the collection names it; null where neither does. */
  readonly licence: string | null
  readonly documentation: string | null
  /** The manifest. */
  readonly file: string
  /** What belongs to the manifest; null where the file is among those of other connectors. */
  readonly folder: string | null
}

/** Deep enough for `airbyte-integrations/connectors/source-x/source_x/manifest.yaml`. */
const deepest = 6
const skipped = /^(?:\.|node_modules$|unit_tests$|integration_tests$)/

/** By name. */
export async function listCollection(root: string): Promise<PublicConnector[]> {
  const found = await stat(root).catch((cause: unknown) => {
    throw new ConnectorError('collections/none', `Cannot read ${root}: ${reasonOf(cause)}.`, { cause })
  })
  if (!found.isDirectory()) throw new ConnectorError('collections/none', `${root} is not a folder.`)
  const files = await manifestsIn(root, root, deepest)
  const licence = await licenceOf(root)
  const connectors = await Promise.all(files.map((file) => describeConnector(file, root, licence)))
  const byName = new Map(connectors.map((one) => [one.name, one]))
  return [...byName.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Those whose name or title has every word of the text. */
export function searchCollection(connectors: readonly PublicConnector[], text: string): PublicConnector[] {
  const words = text
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter(Boolean)
  const matching = connectors.filter(({ name, title }) => {
    const searched = `${name} ${title}`.toLowerCase()
    return words.every((word) => searched.includes(word))
  })
  if (matching.length > 0) return matching
  const near = nearMiss(
    shortName(text),
    connectors.map(({ name }) => name),
  )
  return connectors.filter(({ name }) => name === near)
}

export function findPublicConnector(connectors: readonly PublicConnector[], name: string): PublicConnector {
  const found = connectors.find((one) => one.name === shortName(name))
  if (found !== undefined) return found
  const near = searchCollection(connectors, name).slice(0, 5)
  throw new ConnectorError('collections/unknown', `There is no connector "${name}" among ${connectors.length}.`, {
    ...(near.length > 0 && { hint: `Did you mean ${near.map((one) => one.name).join(', ')}?` }),
  })
}

function shortName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^source[-_]/, '')
    .replaceAll('_', '-')
}

async function manifestsIn(folder: string, root: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const own = entries.find((entry) => entry.isFile() && (manifestNames as readonly string[]).includes(entry.name))
  if (own !== undefined) return [join(folder, own.name)]
  const loose = folder === root ? entries.filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name)) : []
  const manifests = await Promise.all(
    loose.map(async ({ name }) => ((await isManifest(join(folder, name))) ? [join(folder, name)] : [])),
  )
  const inner = depth === 0 ? [] : entries.filter((entry) => entry.isDirectory() && !skipped.test(entry.name))
  const below: string[][] = []
  // One after the other: a checkout has thousands of folders.
  for (const { name } of inner) below.push(await manifestsIn(join(folder, name), root, depth - 1))
  return [...manifests.flat(), ...below.flat()]
}

async function isManifest(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8')
  // Older manifests have no type.
  return (
    /^\s*["']?type["']?:\s*["']?DeclarativeSource/m.test(text) || (/^version:/m.test(text) && /^check:/m.test(text))
  )
}

async function describeConnector(file: string, root: string, licence: string | null): Promise<PublicConnector> {
  const own = dirname(file)
  const isLoose = own === root
  // A Python package is inside the folder of its connector: source-x/source_x/manifest.yaml.
  const outer = basename(own).startsWith('source_') ? dirname(own) : own
  const named = isLoose ? basename(file, extname(file)) : basename(outer)
  const name = shortName(named)
  const data = isLoose ? {} : await metadataIn(outer)
  const text = (key: string) => (typeof data[key] === 'string' ? data[key] : null)
  return {
    name,
    title: text('name') ?? name,
    licence: text('license') ?? licence,
    documentation: text('documentationUrl'),
    file,
    folder: isLoose ? null : own,
  }
}

async function metadataIn(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const source = await readFile(join(folder, 'metadata.yaml'), 'utf8').catch(() => null)
  if (source === null) return {}
  try {
    const { value } = parseText(source)
    return isObject(value) && isObject(value['data']) ? value['data'] : {}
  } catch (error) {
    // A description that cannot be read says nothing; the manifest is what counts.
    if (!(error instanceof ConnectorError)) throw error
    return {}
  }
}

/** The first line of the licence in the folder or in the one above: its name. */
async function licenceOf(root: string): Promise<string | null> {
  for (const folder of [root, dirname(root)]) {
    const names = await readdir(folder).catch(() => [])
    const file = names.find((name) => /^licen[cs]e(?:\.(?:md|txt))?$/i.test(name))
    if (file === undefined) continue
    const text = await readFile(join(folder, file), 'utf8').catch(() => '')
    const line = text
      .split('\n')
      .map((one) => one.replace(/^#+/, '').trim())
      .find((one) => one !== '')
    if (line !== undefined) return `${line.slice(0, 80)} (${relative(root, join(folder, file))})`
  }
  return null
}
