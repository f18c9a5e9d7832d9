/** `turnleaf connectors search | add` */
import { join } from 'node:path'
import { findPublicConnector, searchCollection } from '../../collections/collection.ts'
import { type OpenedCollection, copySchemas, openCollection, publicFiles } from '../../collections/open-collection.ts'
import { homeFolder, shownPath } from '../../connections/find-connection.ts'
import { connectorFolder, refuseExistingConnector } from '../../connections/home-connectors.ts'
import { writeConnectorFolder } from '../../connector/write-folder.ts'
import { readTextFile } from '../../connector/open-connector.ts'
import { withoutPasswords } from '../../destinations/without-passwords.ts'
import { checkManifest } from '../../engine/manifest/check.ts'
import { ConnectorError } from '../../std/errors.ts'
import { stringifyJson } from '../../std/json.ts'
import { count, number } from '../../std/text/format-count.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import { streamSupport } from '../../validation/stream-support.ts'
import { shellWord } from '../destination-address.ts'
import { orInterrupted } from '../interrupt.ts'
import { withFailureReport } from '../report-error.ts'
import { noColours, oneLine, say, tableOf } from '../terminal/print.ts'

type CollectionChoice = { readonly from?: string; readonly update?: boolean; readonly json?: boolean }

export function runConnectorsSearch(words: readonly string[], given: CollectionChoice): Promise<number> {
  return withInterrupts(async (signal) => {
    const { connectors } = await collectionOf(given, signal)
    const found = searchCollection(connectors, words.join(' '))
    if (given.json) {
      for (const { name, title, licence, documentation, file } of found)
        process.stdout.write(`${stringifyJson({ name, title, licence, documentation, file })}\n`)
    } else if (found.length > 0) {
      const rows = found.map(({ name, title, licence }) => [
        name,
        oneLine(title),
        oneLine(licence ?? 'no licence found'),
      ])
      process.stdout.write(`${tableOf(['name', 'title', 'licence'], rows, { paint: noColours }).join('\n')}\n`)
    }
    if (found.length === 0) say(`None of ${count(connectors.length, 'connector')} matches "${words.join(' ')}".`)
    return found.length === 0 ? 1 : 0
  })
}

export function runConnectorsAdd(
  wished: string,
  given: CollectionChoice & { readonly name?: string },
): Promise<number> {
  return withInterrupts(async (signal) => {
    const { connectors, complete, from } = await collectionOf(given, signal)
    const connector = findPublicConnector(connectors, wished)
    const name = given.name ?? connector.name
    const folder = connectorFolder(homeFolder(), name)
    await refuseExistingConnector(folder)
    await complete(connector)
    await writeConnectorFolder(folder, await publicFiles(connector, from))
    if (connector.folder !== null) await copySchemas(connector.folder, folder)
    say(`Wrote ${shownPath(folder)}: ${connector.title}, ${connector.licence ?? 'no licence found'}.`)
    await sayNext(name, join(folder, 'manifest.yaml'), folder)
    return 0
  })
}

function withInterrupts(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  return withFailureReport(async (learn) => {
    learn(withoutPasswords)
    return orInterrupted('Interrupted: nothing was written.', work)
  })
}

async function collectionOf(given: CollectionChoice, signal: AbortSignal): Promise<OpenedCollection> {
  const from = given.from ?? process.env.TURNLEAF_COLLECTION ?? ''
  if (from === '') {
    throw new ConnectorError('collections/none', 'Where are the public connectors?', {
      hint: '--from FOLDER, or --from https://github.com/airbytehq/airbyte; TURNLEAF_COLLECTION is the default.',
    })
  }
  return openCollection(from, { home: homeFolder(), isFresh: given.update ?? false, signal, say })
}

async function sayNext(name: string, file: string, folder: string): Promise<void> {
  const { manifest } = checkManifest(await readTextFile(file, 'manifest'), { file })
  if (manifest === null) {
    say(`The manifest has errors: npx turnleaf validate ${shellWord(file)}`)
    return
  }
  const support = await streamSupport(manifest, folder)
  const running = support.filter(({ runs }) => runs).length
  const others = running < support.length ? ` Why others do not: npx turnleaf validate ${shellWord(folder)}` : ''
  say(`${number(running)} of its ${count(support.length, 'stream')} can be read.${others}`)
  const inputs = requiredInputs(manifest.spec?.connection_specification, name)
  if (inputs.length > 0)
    say(`It needs a config, for example config.yaml:\n${inputs.map((line) => `  ${line}`).join('\n')}`)
  const config = inputs.length > 0 ? ' --config config.yaml' : ''
  say(`  add   npx turnleaf connection add ${shellWord(name)} --connector ${shellWord(name)}${config}`)
  say(`  sync  npx turnleaf sync ${shellWord(name)}`)
}

/** `api_key: ${STRIPE_API_KEY}` for a secret, otherwise a default or what the API documents as an example. */
function requiredInputs(specification: unknown, connector: string): string[] {
  if (!isObject(specification) || !isObject(specification['properties'])) return []
  const required: readonly unknown[] = isList(specification['required']) ? specification['required'] : []
  const properties = specification['properties']
  return required.flatMap((field) => {
    if (typeof field !== 'string') return []
    const property = properties[field]
    const about = isObject(property) ? property : {}
    if (about['airbyte_secret'] === true)
      return [`${field}: \${${`${connector}_${field}`.toUpperCase().replaceAll(/\W/g, '_')}}`]
    const examples: readonly unknown[] = isList(about['examples']) ? about['examples'] : []
    const example = about['const'] ?? about['default'] ?? examples[0]
    return [`${field}: ${example === undefined ? '…' : stringifyJson(example)}`]
  })
}
