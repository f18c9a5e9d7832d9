/** `turnleaf diagnose` */
import { access, constants, readFile, realpath, stat } from 'node:fs/promises'
import { loadManifest } from '../../connector/load-manifest.ts'
import { replaceFile } from '../../std/disk/durable.ts'
import { sayTrouble } from '../../std/disk/trouble.ts'
import { secretsOf } from '../../engine/secrets/find-secrets.ts'
import { createRedactor } from '../../engine/secrets/redact.ts'
import { ConnectorError } from '../../std/errors.ts'
import { diagnose, type DiagnoseOptions } from '../../proof/diagnosis/diagnose.ts'
import { diagnoseAndFix, type FixedManifest } from '../../proof/diagnosis/diagnose-and-fix.ts'
import { stringifyJson } from '../../std/json.ts'
import { count } from '../../std/text/format-count.ts'
import { isInOrder, sayChange, sayDiagnosis } from '../terminal/diagnose-report.ts'
import { type ManifestText, openConfig, readManifestText, saveConfig } from '../files.ts'
import { listenForInterrupt } from '../interrupt.ts'
import type { ProtocolOptions } from '../options.ts'
import { colours, harmless, indentJson, oneLine, say } from '../terminal/print.ts'
import { reported } from '../report-failure.ts'

export type DiagnoseCommandOptions = ProtocolOptions & {
  readonly stream?: string
  readonly fix?: boolean
  readonly json?: boolean
  readonly maxPages?: number
  readonly maxRequests?: number
}

/** Exit code 0 when nothing is wrong, or nothing any more; 1 with findings, an error, or a verdict that nobody explained. */
export function runDiagnose(given: DiagnoseCommandOptions): Promise<number> {
  return reported(async (learn) => {
    const { manifestPath, fix = false, json = false } = given
    if (fix && manifestPath === '-') {
      const hint = 'Name the file that is to be mended.'
      throw new ConnectorError('cli/arguments', 'A manifest from standard input cannot be changed.', { hint })
    }
    const source = await readManifestText(manifestPath)
    const config = await openConfig(given.config)
    learn(createRedactor(secretsOf(loadManifest(source.text, source), config)).text)
    const { signal, exitCode } = listenForInterrupt()
    const options: DiagnoseOptions = {
      stream: given.stream,
      config,
      folder: source.folder,
      maxPages: given.maxPages,
      maxProbes: given.maxRequests,
      signal,
      ...progress(),
      onConfig: async (changed) => {
        if (given.config !== undefined) await saveConfig(given.config, changed)
      },
    }
    try {
      return fix ? await mendFile(source, options, json) : await report(source, options, json)
    } catch (error) {
      const interrupted = exitCode()
      if (interrupted === null) throw error
      say('Interrupted: the manifest is as it was.')
      return interrupted
    }
  })
}

function progress(): Pick<DiagnoseOptions, 'onPage' | 'onProbe'> {
  const tell = (text: string) => say(colours.dim(oneLine(text)))
  return {
    onPage: ({ number, received }) => tell(`page ${number}: ${count(received, 'record')}`),
    onProbe: ({ why, saw }) => tell(`asked ${why}: ${saw}`),
  }
}

async function report({ text }: ManifestText, options: DiagnoseOptions, json: boolean): Promise<number> {
  const diagnosis = await diagnose(text, options)
  process.stdout.write(json ? `${indentJson(stringifyJson(diagnosis))}\n` : sayDiagnosis(diagnosis, text))
  return isInOrder(diagnosis) ? 0 : 1
}

async function mendFile(source: ManifestText, options: DiagnoseOptions, json: boolean): Promise<number> {
  await refuseReadOnly(source)
  const mended = await diagnoseAndFix(source.text, options)
  const { text, applied, diagnosis } = mended
  if (applied.length > 0) await writeManifest(source, text)
  process.stdout.write(json ? `${indentJson(stringifyJson({ ...diagnosis, applied }))}\n` : sayMended(mended, source))
  return isInOrder(diagnosis) ? 0 : 1
}

/** Another file in its place would need no permission to write to it; and the API need not be asked for nothing. */
async function refuseReadOnly({ file }: ManifestText): Promise<void> {
  const { mode } = await stat(file)
  const isOpen =
    (mode & 0o222) !== 0 &&
    (await access(file, constants.W_OK).then(
      () => true,
      () => false,
    ))
  if (isOpen) return
  const hint = 'Allow writing to it, or run without --fix.'
  throw new ConnectorError('cli/file', `${file} is read-only, and is left as it is.`, { hint })
}

/** Whole or not at all, and only over the text that was mended. */
async function writeManifest({ text: before, file }: ManifestText, text: string): Promise<void> {
  try {
    const path = await realpath(file)
    if ((await readFile(path, 'utf8')) !== before) {
      throw new ConnectorError('cli/file', `${file} was changed meanwhile, and is left as it is.`, {
        hint: 'Run again to mend what is there now.',
      })
    }
    const { mode } = await stat(path)
    await replaceFile(path, Buffer.from(text), { mode: mode & 0o777 })
  } catch (error) {
    if (error instanceof ConnectorError) throw error
    const message = `Cannot write ${file}: ${sayTrouble(error) ?? String(error)}.`
    throw new ConnectorError('cli/file', message, { cause: error })
  }
}

function sayMended({ text, applied, diagnosis }: FixedManifest, { text: before, file }: ManifestText): string {
  const what = applied.map(
    ({ code, says, fix }) => `${colours.yellow(code)}: ${says}\n  ${colours.green('mended')}  ${fix?.says}\n`,
  )
  const change = applied.length === 0 ? [] : [`${file}\n${sayChange(before, text).join('\n')}\n`]
  const blocks = [...what, ...change].map((block) => harmless(block))
  return [...blocks, sayDiagnosis(diagnosis, text)].join('\n')
}
