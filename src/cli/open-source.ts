/** The files that a command names → the manifest, and the config as its rules make it; what they changed is kept. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { normalizeConfig } from '../engine/config/normalize-config.ts'
import type { Config } from '../engine/plan/plan.ts'
import { createRedactor } from '../engine/response/redact.ts'
import { secretsOf } from '../engine/plan/config.ts'
import { configMessage, logMessage } from '../protocol/messages.ts'
import type { Redact } from '../protocol/secrets.ts'
import { customToolsOf } from '../read.ts'
import { openConfig, openManifest, saveConfig } from './files.ts'
import { emitTo } from './output.ts'
import type { ProtocolOptions } from './options.ts'

export type Source = {
  readonly manifest: LoadedManifest
  readonly config: Config
  /** Writes a config that changed on the way back to its file: a refresh token that works once is spent otherwise. */
  readonly save: (config: Config) => Promise<void>
  /** The same, and tells the platform. */
  readonly keep: (config: Config) => Promise<void>
}

/** Tells of a migrated config, and writes it back to its file. `learn` is told what hides secrets. */
export async function openSource(
  { manifestPath, config: path }: ProtocolOptions,
  learn: (redact: Redact) => void,
  emit = emitTo(process.stdout),
): Promise<Source> {
  const manifest = await openManifest(manifestPath)
  const given = await openConfig(path)
  learn(createRedactor(secretsOf(manifest, given)).text)
  const { config, migrated } = await normalizeConfig(manifest, given, customToolsOf(manifest))
  learn(createRedactor([...secretsOf(manifest, given), ...secretsOf(manifest, config)]).text)
  /** A file that cannot be written is no reason to stop: the platform has the message. */
  const save = async (changed: Config) => {
    const trouble = path === undefined ? null : await saveConfig(path, changed)
    if (trouble !== null) await emit([logMessage('WARN', `The changed config could not be kept: ${trouble}.`)])
  }
  const keep = async (changed: Config) => {
    await save(changed)
    await emit([configMessage(changed, Date.now())])
  }
  if (migrated !== null && path !== undefined) await keep(migrated)
  return { manifest, config, save, keep }
}
