/** The name of a connection, or `--manifest-path` and `--config` → the text of the manifest and the config to read with. */
import { type OpenedConfig, openConfig } from '../connections/config-file.ts'
import { findConnection, homeFolder } from '../connections/find-connection.ts'
import { connectionConfig, connectionManifestText } from '../connections/open-connection.ts'
import { loadManifest } from '../connector/load-manifest.ts'
import type { ManifestText } from '../connector/open-connector.ts'
import type { Config } from '../engine/plan/plan.ts'
import { ConnectorError } from '../std/errors.ts'
import type { ProtocolOptions } from './arguments.ts'
import { readManifestText } from './files.ts'
import { say } from './terminal/print.ts'

export type NamedSource = { readonly source: ManifestText } & OpenedConfig

/** Where a command stores a config that the API changed, and says what the user should know. `atEnd` stores what could not be stored before. */
export function savingTo({ save, saveAgain }: OpenedConfig) {
  return {
    onConfig: async (changed: Config) => sayAll(await save(changed)),
    atEnd: async () => sayAll(await saveAgain()),
  }
}

function sayAll(texts: readonly string[]): void {
  for (const text of texts) say(text)
}

/** @param command is named in hints. */
export function openNamedSource(
  command: string,
  name: string | undefined,
  given: Partial<ProtocolOptions>,
): Promise<NamedSource> {
  return name === undefined ? ofConnector(command, given) : ofConnection(name, given)
}

async function ofConnector(command: string, { manifestPath, config }: Partial<ProtocolOptions>): Promise<NamedSource> {
  if (manifestPath === undefined) {
    throw new ConnectorError('cli/arguments', 'Name a connection, or a manifest with --manifest-path.', {
      hint: `See \`npx turnleaf ${command} --help\`.`,
    })
  }
  return { source: await readManifestText(manifestPath), ...(await openConfig(config)) }
}

async function ofConnection(name: string, { manifestPath, config }: Partial<ProtocolOptions>): Promise<NamedSource> {
  if (manifestPath !== undefined || config !== undefined) {
    throw new ConnectorError('cli/arguments', 'A connection has its own manifest and config.', {
      hint: 'Remove --manifest-path and --config, or the connection.',
    })
  }
  const home = homeFolder()
  const connection = await findConnection(name, home)
  const source = await connectionManifestText(connection, home)
  const warnings: string[] = []
  const opened = await connectionConfig(connection, loadManifest(source.text, source), (text) => warnings.push(text))
  const save = async (changed: Config) => {
    await opened.save(changed)
    return warnings.splice(0)
  }
  const saveAgain = async () => {
    await opened.saveAgain()
    return warnings.splice(0)
  }
  return { source, config: opened.given, save, saveAgain }
}
