/** The files that a command names → the manifest and the normalized config; a migrated config is saved. */
import { type LoadedManifest, loadManifest } from '../connector/load-manifest.ts'
import { normalizeConfig } from '../engine/config/normalize-config.ts'
import type { Config } from '../engine/plan/plan.ts'
import { createRedactor } from '../engine/secrets/redact.ts'
import { secretsOf } from '../engine/secrets/find-secrets.ts'
import { injectedCode, noManifest, sayPythonCode, splitConfig, type SplitConfig } from '../protocol/injected.ts'
import { configMessage, type Emit, logMessage } from '../protocol/messages.ts'
import type { Redact } from '../protocol/secrets.ts'
import { customToolsOf } from '../read.ts'
import { openConfig } from '../connections/config-file.ts'
import { openManifest } from './files.ts'
import { emitTo } from './output.ts'
import type { SourceOptions } from './arguments.ts'

export type Source = {
  readonly manifest: LoadedManifest
  readonly config: Config
  /** Writes a changed config back to its file: a refresh token that works once would be lost otherwise. */
  readonly save: (config: Config) => Promise<void>
  /** The same, and emits it to the platform. */
  readonly keep: (config: Config) => Promise<void>
  /** Writes what could not be written before. Call at the end. */
  readonly saveAgain: () => Promise<void>
}

/** Emits a migrated config, and writes it back to its file. `learn` receives the function that hides secrets. */
export async function openSource(
  options: SourceOptions,
  learn: (redact: Redact) => void,
  emit = emitTo(process.stdout),
): Promise<Source> {
  const { config: path } = options
  const opened = await openConfig(path)
  const split = splitConfig(opened.config)
  const { config: given, injected } = split
  const manifest = await manifestFrom(options, split)
  await sayCode(options, split, emit)
  learn(createRedactor(secretsOf(manifest, given)).text)
  const { config, migrated } = await normalizeConfig(manifest, given, customToolsOf(manifest))
  learn(createRedactor([...secretsOf(manifest, given), ...secretsOf(manifest, config)]).text)
  const say = async (warnings: readonly string[]) => {
    if (warnings.length > 0) await emit(warnings.map((text) => logMessage('WARN', text)))
  }
  /** A file that cannot be written does not stop the command: the platform has the message. */
  const save = async (changed: Config) => {
    // Keep an injected manifest in the file for the next run.
    await say(await opened.save({ ...changed, ...injected }))
  }
  const saveAgain = async () => await say(await opened.saveAgain())
  const keep = async (changed: Config) => {
    await save(changed)
    await emit([configMessage(changed, Date.now())])
  }
  if (migrated !== null && path !== undefined) await keep(migrated)
  return { manifest, config, save, saveAgain, keep }
}

/** Airbyte: a path takes precedence over the config. A manifest from the config has no folder, and so no classes. */
async function manifestFrom(
  { manifestPath, config }: SourceOptions,
  { manifest }: SplitConfig,
): Promise<LoadedManifest> {
  if (manifestPath !== undefined) return openManifest(manifestPath)
  if (manifest === null) throw noManifest()
  return loadManifest(manifest, config === undefined ? {} : { file: config })
}

async function sayCode({ componentsPath }: SourceOptions, { hasPythonCode }: SplitConfig, emit: Emit): Promise<void> {
  const places = [...(componentsPath === undefined ? [] : [componentsPath]), ...(hasPythonCode ? [injectedCode] : [])]
  await emit(places.map((place) => logMessage('WARN', sayPythonCode(place))))
}
