/** `turnleaf validate` */
import { checkManifest } from '../engine/manifest/check.ts'
import { isComponent } from '../engine/manifest/components.ts'
import type { Component, Manifest } from '../engine/manifest/manifest.ts'
import { countProblems, printBlocks } from '../engine/manifest/print-problems.ts'
import { unsupportedTypesIn } from '../engine/manifest/supported.ts'
import { nameOfDynamic } from '../engine/plan/dynamic.ts'
import { dynamicStreamsOf } from '../engine/streams/resolve-streams.ts'
import type { Problem } from '../errors.ts'
import { stringifyJson } from '../json.ts'
import { count } from '../protocol/say.ts'
import { readManifestText } from './files.ts'
import { colours, indentJson, paintProblem } from './print.ts'
import { templateProblems } from './template-problems.ts'

type Verdict = {
  readonly name: string
  readonly runs: boolean
  readonly unsupported: readonly string[]
  readonly problems: readonly Problem[]
}

/** Exit code 0 without errors, 2 with; warnings and notes do not count. */
export async function runValidate(path: string, { json = false }: { json?: boolean } = {}): Promise<number> {
  const { text, file } = await readManifestText(path)
  const { manifest, problems: found } = checkManifest(text, { file })
  const verdicts = manifest === null ? [] : verdictsOn(manifest)
  // Errors first: a manifest that passed its check has none of its own left.
  const problems = [...unique(verdicts.flatMap((verdict) => verdict.problems)), ...found]

  if (json) {
    const streams = verdicts.map(({ name, runs, unsupported }) => ({ name, runs, unsupported }))
    const unsupported = manifest?.unsupported ?? []
    process.stdout.write(`${indentJson(stringifyJson({ manifest: file, problems, unsupported, streams }))}\n`)
  } else {
    const details = printBlocks(problems, { file, source: text, paint: paintProblem })
    process.stdout.write(`${details}${sayVerdicts(verdicts)}${file}: ${countProblems(problems)}${summary(verdicts)}\n`)
  }
  return problems.some(({ severity }) => severity === 'error') ? 2 : 0
}

/** Conditions do not count: what they may admit must run. A template stands for all streams that it makes. */
function verdictsOn(manifest: Manifest): Verdict[] {
  return streamsIn(manifest).map(({ name, stream }) => {
    const unsupported = unsupportedTypesIn(stream)
    const problems = unsupported.length > 0 ? [] : templateProblems(manifest, stream)
    return { name, runs: unsupported.length === 0 && problems.length === 0, unsupported, problems }
  })
}

function streamsIn(manifest: Manifest): { name: string; stream: Component }[] {
  const written = manifest.streams.flatMap((member) =>
    isComponent(member, 'ConditionalStreams') ? (member.streams as readonly Component[]) : [member],
  )
  return [
    ...written.map((stream, index) => ({ name: nameOf(stream, index), stream })),
    ...dynamicStreamsOf(manifest).map((stream, index) => ({
      name: `${nameOfDynamic(stream, index)} (template)`,
      stream,
    })),
  ]
}

function nameOf({ name, type }: Component, index: number): string {
  return typeof name === 'string' ? name : `${type} ${index}`
}

/** A definition that many streams share is wrong once. */
function unique(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((one) => [`${one.at.pointer} ${one.message}`, one])).values()]
}

function sayVerdicts(verdicts: readonly Verdict[]): string {
  if (verdicts.length === 0) return ''
  const width = Math.max(...verdicts.map(({ name }) => name.length))
  return `${verdicts.map((verdict) => `  ${verdict.name.padEnd(width)}   ${sayVerdict(verdict)}\n`).join('')}\n`
}

function sayVerdict({ runs, unsupported, problems }: Verdict): string {
  if (runs) return 'runs'
  if (problems.length > 0) return colours.red(`does not run: ${count(problems.length, 'error')} in its templates`)
  return colours.yellow(`not supported yet: ${unsupported.join(', ')}`)
}

function summary(verdicts: readonly Verdict[]): string {
  if (verdicts.length === 0) return ''
  const running = verdicts.filter(({ runs }) => runs).length
  return `; ${running} of ${count(verdicts.length, 'stream')} ${verdicts.length === 1 ? 'runs' : 'run'}`
}
