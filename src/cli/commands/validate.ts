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
  type StreamSupport,
  streamSupport,
  uniqueProblems,
} from '../../validation/stream-support.ts'
import { colours, indentJson, paintProblem } from '../terminal/print.ts'
import { count } from '../../std/text/format-count.ts'

/** Exit code 2 if there are errors, otherwise 0; warnings and notes do not count. */
export async function runValidate(path: string, { json = false }: { json?: boolean } = {}): Promise<number> {
  const { text, file, folder } = await readManifestText(path)
  const { manifest, problems: found, draft } = checkManifest(text, { file })
  const support = manifest === null ? [] : await streamSupport(manifest, folder)
  const further = draft === undefined ? problemsOf(support) : await draftProblems(draft, folder)
  const problems = uniqueProblems([...(manifest === null ? found : []), ...further, ...found])

  if (json) {
    const streams = support.map(({ runs, missing, unsupported, ...written }) => ({
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
      `${details}${saySupport(support)}${sayMissing(support)}${file}: ${countProblems(problems)}${summary(support)}\n`,
    )
  }
  return problems.some(({ severity }) => severity === 'error') ? 2 : 0
}

function shownName({ name, isTemplate }: Pick<StreamSupport, 'name' | 'isTemplate'>): string {
  return isTemplate ? `${name} (template)` : name
}

function saySupport(support: readonly StreamSupport[]): string {
  if (support.length === 0) return ''
  const width = Math.max(...support.map((stream) => shownName(stream).length))
  return `${support.map((stream) => `  ${shownName(stream).padEnd(width)}   ${saySupportOf(stream)}\n`).join('')}\n`
}

function saySupportOf({ runs, missing, unsupported, problems }: StreamSupport): string {
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
function sayMissing(support: readonly StreamSupport[]): string {
  const missing = support.flatMap((stream) => stream.missing)
  const lines = new Set(
    missing.map(({ className, role, base, reason }) => {
      const name = className.split('.').at(-1)
      return `  ${role.padEnd(20)}   class ${name} extends ${base}: ${reason}\n`
    }),
  )
  return lines.size === 0 ? '' : `${colours.bold('Missing custom code')}\n${[...lines].join('')}\n`
}

function summary(support: readonly StreamSupport[]): string {
  if (support.length === 0) return ''
  const running = support.filter(({ runs }) => runs).length
  const waiting = support.filter(({ missing }) => !missing.every(isOneChoice)).length
  const refused = support.filter(({ unsupported }) => unsupported.length > 0).length
  const others = [
    ...(waiting === 0 ? [] : [`${waiting} ${waiting === 1 ? 'needs' : 'need'} custom code`]),
    ...(refused === 0 ? [] : [`${refused} unsupported`]),
  ]
  const run = `${running} of ${count(support.length, 'stream')} ${support.length === 1 ? 'runs' : 'run'}`
  return `; ${[run, ...others].join(', ')}`
}
