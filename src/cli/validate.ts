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
import { readManifestText } from './files.ts'
import { type MissingClass, missingClasses } from './missing-classes.ts'
import { colours, indentJson, paintProblem } from './print.ts'
import { templateProblems } from './template-problems.ts'
import { count } from '../words.ts'

type Verdict = {
  readonly name: string
  readonly runs: boolean
  readonly missing: readonly MissingClass[]
  readonly unsupported: readonly string[]
  readonly problems: readonly Problem[]
}

/** Exit code 0 without errors, 2 with; warnings and notes do not count. */
export async function runValidate(path: string, { json = false }: { json?: boolean } = {}): Promise<number> {
  const { text, file, folder } = await readManifestText(path)
  const { manifest, problems: found } = checkManifest(text, { file })
  const verdicts = manifest === null ? [] : await verdictsOn(manifest, folder)
  // Errors first: a manifest that passed its check has none of its own left.
  const problems = [...unique(verdicts.flatMap((verdict) => verdict.problems)), ...found]

  if (json) {
    const streams = verdicts.map(({ name, runs, missing, unsupported }) => ({
      name,
      runs,
      needsCustomCode: missing,
      unsupported,
    }))
    const unsupported = manifest?.unsupported ?? []
    process.stdout.write(`${indentJson(stringifyJson({ manifest: file, problems, unsupported, streams }))}\n`)
  } else {
    const details = printBlocks(problems, { file, source: text, paint: paintProblem })
    process.stdout.write(
      `${details}${sayVerdicts(verdicts)}${sayMissing(verdicts)}${file}: ${countProblems(problems)}${summary(verdicts)}\n`,
    )
  }
  return problems.some(({ severity }) => severity === 'error') ? 2 : 0
}

/** Conditions do not count: what they may admit must run. A template stands for all streams that it makes. */
async function verdictsOn(manifest: Manifest, folder: string): Promise<Verdict[]> {
  // What the rules of the config need, every stream needs.
  const ofSpec = manifest.spec === null ? [] : await missingClasses(manifest, manifest.spec, folder)
  // A validation that is missing is passed over with a warning.
  const always = ofSpec.filter(({ base }) => base !== 'ValidationStrategy')
  const verdicts: Verdict[] = []
  for (const { name, stream } of streamsIn(manifest)) {
    const unsupported = unsupportedTypesIn(stream)
    const missing = unsupported.length > 0 ? [] : [...always, ...(await missingClasses(manifest, stream, folder))]
    const problems = unsupported.length > 0 ? [] : templateProblems(manifest, stream)
    const runs = unsupported.length === 0 && missing.every(isOneChoice) && problems.length === 0
    verdicts.push({ name, runs, missing, unsupported, problems })
  }
  return verdicts
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

function sayVerdict({ runs, missing, unsupported, problems }: Verdict): string {
  if (runs) return missing.length === 0 ? 'runs' : `runs, unless the config chooses ${namesOf(missing)}`
  if (problems.length > 0) return colours.red(`does not run: ${count(problems.length, 'error')} in its templates`)
  if (unsupported.length > 0) return colours.yellow(`unsupported: ${unsupported.join(', ')}`)
  return colours.yellow(`needs custom code: ${namesOf(missing.filter((one) => !isOneChoice(one)))}`)
}

function isOneChoice(missing: MissingClass): boolean {
  return missing.isOneChoice
}

function namesOf(missing: readonly MissingClass[]): string {
  return missing.map(({ className }) => className.split('.').at(-1)).join(', ')
}

/** Each class once, with what to do about it: many streams may wait for the same. */
function sayMissing(verdicts: readonly Verdict[]): string {
  const missing = verdicts.flatMap((verdict) => verdict.missing)
  const lines = new Set(
    missing.map(({ className, role, base, reason }) => {
      const name = className.split('.').at(-1)
      return `  ${role.padEnd(20)}   class ${name} extends ${base}: ${reason}\n`
    }),
  )
  return lines.size === 0 ? '' : `${colours.bold('Custom code that is missing')}\n${[...lines].join('')}\n`
}

function summary(verdicts: readonly Verdict[]): string {
  if (verdicts.length === 0) return ''
  const running = verdicts.filter(({ runs }) => runs).length
  const waiting = verdicts.filter(({ missing }) => !missing.every(isOneChoice)).length
  const refused = verdicts.filter(({ unsupported }) => unsupported.length > 0).length
  const others = [
    ...(waiting === 0 ? [] : [`${waiting} ${waiting === 1 ? 'needs' : 'need'} custom code`]),
    ...(refused === 0 ? [] : [`${refused} unsupported`]),
  ]
  const run = `${running} of ${count(verdicts.length, 'stream')} ${verdicts.length === 1 ? 'runs' : 'run'}`
  return `; ${[run, ...others].join(', ')}`
}
