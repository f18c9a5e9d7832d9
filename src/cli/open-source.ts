/** The files that a command names → the manifest, and the config as its rules make it; what they changed is kept. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { normalizeConfig } from '../engine/normalize-config.ts'
import type { Config } from '../engine/plan/plan.ts'
import { createRedactor } from '../engine/response/redact.ts'
import { secretsOf } from '../engine/plan/config.ts'
import { configMessage, logMessage } from '../protocol/messages.ts'
import type { Redact } from '../protocol/secrets.ts'
import { customToolsOf } from '../read.ts'
import { openConfig, openManifest, saveConfig } from './files.ts'
import { emitTo } from './output.ts'
import type { ProtocolOptions } from './program.ts'

export type Source = { readonly manifest: LoadedManifest; readonly config: Config }

/** Tells the platform of a migrated config, and writes it back to its file. `learn` is told what hides secrets. */
export async function openSource(
  { manifestPath, config: path }: ProtocolOptions,
  learn: (redact: Redact) => void,
): Promise<Source> {
  const manifest = await openManifest(manifestPath)
  const given = await openConfig(path)
  learn(createRedactor(secretsOf(manifest, given)).text)
  const { config, migrated } = await normalizeConfig(manifest, given, customToolsOf(manifest))
  learn(createRedactor([...secretsOf(manifest, given), ...secretsOf(manifest, config)]).text)
  if (migrated !== null && path !== undefined) await keep(path, migrated)
  return { manifest, config }
}

/** A file that cannot be written is no reason to stop: the platform has the message, and the next run migrates again. */
async function keep(path: string, config: Config): Promise<void> {
  const emit = emitTo(process.stdout)
  const trouble = await saveConfig(path, config)
  await emit([
    ...(trouble === null ? [] : [logMessage('WARN', `The migrated config could not be kept: ${trouble}.`)]),
    configMessage(config, Date.now()),
  ])
}
