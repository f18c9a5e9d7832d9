/** A diagnosis in words: what was read, what is wrong with it, the change that mends it, and what was asked besides. */
import { applyEdits } from '../../proof/diagnosis/apply-edits.ts'
import type { Diagnosis, Finding } from '../../proof/diagnosis/diagnosis.ts'
import { findingTitles } from '../../proof/diagnosis/finding-codes.ts'
import { changesIn, lineDifference } from '../../document/line-difference.ts'
import { isAlarm } from '../../proof/verdict/verdict.ts'
import type { Probe } from '../../proof/probe.ts'
import { count, number } from '../../std/text/format-count.ts'
import { colours, harmless, oneLine } from './print.ts'

/** `text` is the manifest that was diagnosed. */
export function sayDiagnosis(diagnosis: Diagnosis, text: string): string {
  const { findings, probes } = diagnosis
  const blocks = [
    sayWalk(diagnosis),
    ...findings.map((finding) => sayFinding(finding, text, diagnosis.error?.message)),
    ...(findings.length > 0 || isInOrder(diagnosis) ? [] : ['What is behind it could not be found out.\n']),
    ...(probes.length === 0 ? [] : [sayProbes(probes)]),
  ]
  return harmless(blocks.join('\n'))
}

/** Nothing found, no error, and no verdict that speaks against the walk. */
export function isInOrder({ findings, error, proof, isCut }: Diagnosis): boolean {
  const isDoubted = !isCut && proof !== null && isAlarm(proof.verdict)
  return findings.length === 0 && error === null && !isDoubted
}

function sayWalk(diagnosis: Diagnosis): string {
  const { stream, proof, error, isCut, findings } = diagnosis
  const read = proof === null ? [] : [`${count(proof.received, 'record')} in ${count(proof.pages, 'page')}`]
  const cut = isCut ? [`the pages behind were not read`] : []
  const verdict = proof === null || isCut ? [] : [`${proof.verdict}: ${proof.reason}`]
  const failed = error === null ? '' : `\n  ${colours.red(error.code)}: ${error.message}\n  try  ${error.hint}`
  const sum =
    findings.length === 0
      ? isInOrder(diagnosis)
        ? colours.green('nothing wrong')
        : 'nothing found'
      : count(findings.length, 'finding')
  return `${colours.bold(stream)}: ${[sum, ...read, ...verdict, ...cut].join('; ')}${failed}\n`
}

/** `failure`, which stands above it already, is not said twice. */
function sayFinding({ code, fault, says, evidence, fix, advice }: Finding, text: string, failure?: string): string {
  const owner = fault === 'api' ? ' (the API does this)' : ''
  const shown = evidence.map((one) => (one.says === failure ? { ...one, says: 'The error above.' } : one))
  const lines = [
    `${colours.yellow(code)}: ${colours.bold(findingTitles[code])}${owner}`,
    `  ${says}`,
    ...shown.map((one) => `    ${colours.dim(sayPages(one.pages))}  ${oneLine(one.says)}`),
    ...(fix === null ? [] : [`  fix      ${fix.says}`, ...sayChange(text, applyEdits(text, fix.edits))]),
    ...(fix === null ? [] : [`  re-test  ${fix.retest === null ? 'no request was left for one' : fix.retest.says}`]),
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
export function sayChange(before: string, after: string): string[] {
  const runs = changesIn(lineDifference(before, after), linesAround).map((run) =>
    run.map(({ kind, number: line, text }) => {
      return `    ${colours.dim(String(line).padStart(5))} ${paints[kind](`${marks[kind]} ${text}`.trimEnd())}`
    }),
  )
  return runs.flatMap((run, index) => (index === 0 ? run : [`          ${colours.dim('…')}`, ...run]))
}

function sayProbes(probes: readonly Probe[]): string {
  const lines = probes.map(({ why, method, url, sent, status, saw }) => {
    const beside = sent === undefined ? '' : ` with ${oneLine(sent)}`
    return `  ${method} ${url}${beside}\n    ${colours.dim(`${why}: ${status ?? 'no answer'}, ${oneLine(saw)}`)}`
  })
  return `${colours.bold(`${count(probes.length, 'request')} beside the walk`)}\n${lines.join('\n')}\n`
}
