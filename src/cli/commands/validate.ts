/** `turnleaf validate` */
import { checkManifest } from '../../engine/manifest/check.ts'
import { countProblems, printBlocks } from '../../engine/manifest/problem.ts'
import { stringifyJson } from '../../std/json.ts'
import { readManifestText } from '../files.ts'
import type { MissingClass } from '../../validation/missing-files.ts'
import {
  draftProblems,
  isOneChoice,
  problemsOf,
  type StreamVerdict,
  streamVerdicts,
  uniqueProblems,
} from '../../validation/stream-verdicts.ts'
import { colours, indentJson, paintProblem } from '../terminal/print.ts'
import { count } from '../../std/text/format-count.ts'

/** Exit code 2 if there are errors, otherwise 0; warnings and notes do not count. */
export async function runValidate(path: string, { json = false }: { json?: boolean } = {}): Promise<number> {
  const { text, file, folder } = await readManifestText(path)
  const { manifest, problems: found, draft } = checkManifest(text, { file })
  const verdicts = manifest === null ? [] : await streamVerdicts(manifest, folder)
  const further = draft === undefined ? problemsOf(verdicts) : await draftProblems(draft, folder)
  const problems = uniqueProblems([...(manifest === null ? found : []), ...further, ...found])

  if (json) {
    const streams = verdicts.map(({ runs, missing, unsupported, ...written }) => ({
      name: shownName(written),
      runs,
      needsCustomCode: missing.map(({ className, role, base, isOneChoice: isChoice, reason }) => ({
        className,
        role,
        base,
        isOneChoice: isChoice,
        reason,
      })),
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

function shownName({ name, isTemplate }: Pick<StreamVerdict, 'name' | 'isTemplate'>): string {
  return isTemplate ? `${name} (template)` : name
}

function sayVerdicts(verdicts: readonly StreamVerdict[]): string {
  if (verdicts.length === 0) return ''
  const width = Math.max(...verdicts.map((verdict) => shownName(verdict).length))
  return `${verdicts.map((verdict) => `  ${shownName(verdict).padEnd(width)}   ${sayVerdict(verdict)}\n`).join('')}\n`
}

function sayVerdict({ runs, missing, unsupported, problems }: StreamVerdict): string {
  if (runs && missing.length > 0) return `runs, unless the config selects ${namesOf(missing)}`
  if (runs) return problems.some(({ code }) => code === 'records/schema-file') ? 'runs, without its schema' : 'runs'
  const errors = problems.filter(({ severity }) => severity === 'error').length
  if (errors > 0) return colours.red(`does not run: ${count(errors, 'error')}`)
  if (unsupported.length > 0) return colours.yellow(`unsupported: ${unsupported.join(', ')}`)
  return colours.yellow(`needs custom code: ${namesOf(missing.filter((one) => !isOneChoice(one)))}`)
}

function namesOf(missing: readonly MissingClass[]): string {
  return missing.map(({ className }) => className.split('.').at(-1)).join(', ')
}

/** Each class once: many streams may need the same. */
function sayMissing(verdicts: readonly StreamVerdict[]): string {
  const missing = verdicts.flatMap((verdict) => verdict.missing)
  const lines = new Set(
    missing.map(({ className, role, base, reason }) => {
      const name = className.split('.').at(-1)
      return `  ${role.padEnd(20)}   class ${name} extends ${base}: ${reason}\n`
    }),
  )
  return lines.size === 0 ? '' : `${colours.bold('Missing custom code')}\n${[...lines].join('')}\n`
}

function summary(verdicts: readonly StreamVerdict[]): string {
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
