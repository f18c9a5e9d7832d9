/** `turnleaf diagnose` */
import { access, constants, readFile, realpath, stat } from 'node:fs/promises'
import { loadManifest } from '../../connector/load-manifest.ts'
import { rewriteFile } from '../../std/disk/durable.ts'
import { describeDiskError } from '../../std/disk/disk-error.ts'
import { secretsOf } from '../../engine/secrets/find-secrets.ts'
import { createRedactor } from '../../engine/secrets/redact.ts'
import { ConnectorError } from '../../std/errors.ts'
import { diagnose, type DiagnoseOptions } from '../../proof/diagnosis/diagnose.ts'
import { diagnoseAndFix, type FixedManifest } from '../../proof/diagnosis/diagnose-and-fix.ts'
import { stringifyJson } from '../../std/json.ts'
import { count, number } from '../../std/text/format-count.ts'
import type { ManifestText } from '../../connector/open-connector.ts'
import { orInterrupted } from '../interrupt.ts'
import { openNamedSource, savingTo } from '../open-named-source.ts'
import type { ProtocolOptions } from '../arguments.ts'
import { colours, harmless, indentJson, oneLine, say } from '../terminal/print.ts'
import { withFailureReport } from '../report-error.ts'
import { applyEdits } from '../../proof/diagnosis/apply-edits.ts'
import type { Diagnosis, Finding } from '../../proof/diagnosis/diagnosis.ts'
import { findingTitles } from '../../proof/diagnosis/finding-codes.ts'
import { changedRuns, lineDifference } from '../../document/line-difference.ts'
import { isAlarm, verdictName } from '../../proof/verdict/verdict-name.ts'
import type { Probe } from '../../proof/probe.ts'

type DiagnoseCommandOptions = Partial<ProtocolOptions> & {
  readonly stream?: string
  readonly fix?: boolean
  readonly json?: boolean
  readonly maxPages?: number
  readonly maxRequests?: number
}

/**
 * Exit code 0 when nothing is wrong, or everything was fixed; 1 with findings, an error, or a bad verdict without an explanation.
 *
 * @param name a connection; otherwise `--manifest-path` names a connector.
 */
export function runDiagnose(name: string | undefined, given: DiagnoseCommandOptions): Promise<number> {
  return withFailureReport(async (learn) => {
    const { manifestPath, fix = false, json = false } = given
    if (fix && manifestPath === '-') {
      const hint = 'Give the path of the file to fix.'
      throw new ConnectorError('cli/arguments', 'A manifest from standard input cannot be changed.', { hint })
    }
    const opened = await openNamedSource('diagnose', name, given)
    const { source, config } = opened
    const { onConfig, atEnd } = savingTo(opened)
    learn(createRedactor(secretsOf(loadManifest(source.text, source), config)).text)
    return orInterrupted('Interrupted: the manifest was not changed.', async (signal) => {
      const options: DiagnoseOptions = {
        stream: given.stream,
        config,
        folder: source.folder,
        maxPages: given.maxPages,
        maxProbes: given.maxRequests,
        signal,
        ...progress(),
        onConfig,
      }
      return fix ? await fixFile(source, options, json) : await report(source, options, json)
    }).finally(atEnd)
  })
}

function progress(): Pick<DiagnoseOptions, 'onPage' | 'onProbe'> {
  const show = (text: string) => say(colours.dim(oneLine(text)))
  return {
    onPage: ({ number: page, received }) => show(`page ${page}: ${count(received, 'record')}`),
    onProbe: ({ why, saw }) => show(`request ${why}: ${saw}`),
  }
}

async function report({ text }: ManifestText, options: DiagnoseOptions, json: boolean): Promise<number> {
  const diagnosis = await diagnose(text, options)
  process.stdout.write(json ? `${indentJson(stringifyJson(diagnosis))}\n` : sayDiagnosis(diagnosis, text))
  return isInOrder(diagnosis) ? 0 : 1
}

async function fixFile(source: ManifestText, options: DiagnoseOptions, json: boolean): Promise<number> {
  await refuseReadOnly(source)
  const fixed = await diagnoseAndFix(source.text, options)
  const { text, applied, diagnosis } = fixed
  if (applied.length > 0) await writeManifest(source, text)
  process.stdout.write(json ? `${indentJson(stringifyJson({ ...diagnosis, applied }))}\n` : sayFixed(fixed, source))
  return isInOrder(diagnosis) ? 0 : 1
}

/** Replacing the file would ignore its permissions. Checked first, so that no requests are wasted. */
async function refuseReadOnly({ file }: ManifestText): Promise<void> {
  const { mode } = await stat(file)
  const isOpen =
    (mode & 0o222) !== 0 &&
    (await access(file, constants.W_OK).then(
      () => true,
      () => false,
    ))
  if (isOpen) return
  const hint = 'Make it writable, or run without --fix.'
  throw new ConnectorError('cli/file', `${file} is read-only and was not changed.`, { hint })
}

/** Atomic, and only if the file still has the text that was diagnosed. */
async function writeManifest({ text: before, file }: ManifestText, text: string): Promise<void> {
  try {
    const path = await realpath(file)
    if ((await readFile(path, 'utf8')) !== before) {
      throw new ConnectorError('cli/file', `${file} was changed during the diagnosis and was not overwritten.`, {
        hint: 'Run again to fix the new text.',
      })
    }
    await rewriteFile(path, Buffer.from(text))
  } catch (error) {
    if (error instanceof ConnectorError) throw error
    const message = `Cannot write ${file}: ${describeDiskError(error) ?? String(error)}.`
    throw new ConnectorError('cli/file', message, { cause: error })
  }
}

function sayFixed({ text, applied, diagnosis }: FixedManifest, { text: before, file }: ManifestText): string {
  const what = applied.map(
    ({ code, says, fix }) => `${colours.yellow(code)}: ${says}\n  ${colours.green('fixed')}  ${fix?.says}\n`,
  )
  const change = applied.length === 0 ? [] : [`${file}\n${sayChange(before, text).join('\n')}\n`]
  const blocks = [...what, ...change].map((block) => harmless(block))
  return [...blocks, sayDiagnosis(diagnosis, text)].join('\n')
}

/** `text` is the manifest that was diagnosed. */
export function sayDiagnosis(diagnosis: Diagnosis, text: string): string {
  const { findings, probes } = diagnosis
  const blocks = [
    sayRead(diagnosis),
    ...findings.map((finding) => sayFinding(finding, text, diagnosis.error?.message)),
    ...(findings.length > 0 || isInOrder(diagnosis) ? [] : ['The cause could not be determined.\n']),
    ...(probes.length === 0 ? [] : [sayProbes(probes)]),
  ]
  return harmless(blocks.join('\n'))
}

/** No findings, no error, and no bad verdict. */
function isInOrder({ findings, error, proof, isCut }: Diagnosis): boolean {
  const isDoubted = !isCut && proof !== null && isAlarm(proof.verdict)
  return findings.length === 0 && error === null && !isDoubted
}

function sayRead(diagnosis: Diagnosis): string {
  const { stream, proof, error, isCut, findings } = diagnosis
  const read = proof === null ? [] : [`${count(proof.received, 'record')} in ${count(proof.pages, 'page')}`]
  const cut = isCut ? [`later pages were not read`] : []
  const verdict = proof === null || isCut ? [] : [`${verdictName(proof.verdict)}: ${proof.reason}`]
  const failed = error === null ? '' : `\n  ${colours.red(error.code)}: ${error.message}\n  try  ${error.hint}`
  const sum =
    findings.length === 0
      ? isInOrder(diagnosis)
        ? colours.green('nothing wrong')
        : 'nothing found'
      : count(findings.length, 'finding')
  return `${colours.bold(stream)}: ${[sum, ...read, ...verdict, ...cut].join('; ')}${failed}\n`
}

/** `failure` is printed above already, and not repeated. */
function sayFinding({ code, fault, says, evidence, fix, advice }: Finding, text: string, failure?: string): string {
  const owner = fault === 'api' ? ' (caused by the API)' : ''
  const shown = evidence.map((one) => (one.says === failure ? { ...one, says: 'The error above.' } : one))
  const lines = [
    `${colours.yellow(code)}: ${colours.bold(findingTitles[code])}${owner}`,
    `  ${says}`,
    ...shown.map((one) => `    ${colours.dim(sayPages(one.pages))}  ${oneLine(one.says)}`),
    ...(fix === null ? [] : [`  fix      ${fix.says}`, ...sayChange(text, applyEdits(text, fix.edits))]),
    ...(fix === null
      ? []
      : [`  re-test  ${fix.retest === null ? 'not run: the request limit was reached' : fix.retest.says}`]),
    ...(advice === '' ? [] : [`  try      ${advice}`]),
  ]
  return `${lines.join('\n')}\n`
}

/** `page 1`, `pages 2–4` */
function sayPages(pages: readonly number[]): string {
  const [first = 0] = pages
  const last = pages.at(-1) ?? first
  return (first === last ? `page ${number(first)}` : `pages ${number(first)}–${number(last)}`).padEnd(10)
}

const marks = { same: ' ', removed: '-', added: '+' } as const
const paints = { same: colours.dim, removed: colours.red, added: colours.green } as const
const linesAround = 2

/** The lines that change, numbered as in the file. */
function sayChange(before: string, after: string): string[] {
  const runs = changedRuns(lineDifference(before, after), linesAround).map((run) =>
    run.map(({ kind, number: line, text }) => {
      return `    ${colours.dim(String(line).padStart(5))} ${paints[kind](`${marks[kind]} ${text}`.trimEnd())}`
    }),
  )
  return runs.flatMap((run, index) => (index === 0 ? run : [`          ${colours.dim('…')}`, ...run]))
}

function sayProbes(probes: readonly Probe[]): string {
  const lines = probes.map(({ why, method, url, sent, status, saw }) => {
    const rest = sent === undefined ? '' : ` with ${oneLine(sent)}`
    return `  ${method} ${url}${rest}\n    ${colours.dim(`${why}: ${status ?? 'no response'}, ${oneLine(saw)}`)}`
  })
  return `${colours.bold(count(probes.length, 'additional request'))}\n${lines.join('\n')}\n`
}
