/** A manifest as it is being written → what is wrong with it, what it offers, and what it would ask first. */
import { type Checked, checkManifest } from '../../engine/manifest/check.ts'
import { unsupportedIn } from '../../engine/manifest/supported.ts'
import { connectionSpecification } from '../../engine/plan/config.ts'
import { hints, type Problem } from '../../errors.ts'
import type { MissingClass } from '../../validation/missing-classes.ts'
import { problemsOf, type StreamVerdict, streamVerdicts } from '../../validation/stream-verdicts.ts'
import type { Inspection, InspectionRequest } from '../wire/inspection.ts'

export type Inspect = (request: InspectionRequest, folder: string | null) => Promise<Inspection>

/** Texts whose check is remembered: somebody who types asks for problems and for previews of one text. */
const mostTexts = 4

export function openInspection(): Inspect {
  const known = new Map<string, Checked>()
  const check = (text: string): Checked => {
    const checked = known.get(text) ?? checkManifest(text)
    known.delete(text)
    known.set(text, checked)
    if (known.size > mostTexts) known.delete(known.keys().next().value as string)
    return checked
  }
  return async ({ text }, folder) => {
    const { manifest, problems } = check(text)
    if (manifest === null) return { problems, streams: [], spec: null, preview: null }
    const verdicts = await streamVerdicts(manifest, folder)
    const unsupported = unsupportedIn(manifest.root).map(({ type, node }) => notRun(type, manifest.at(node)))
    return {
      problems: [...problemsOf(verdicts), ...unsupported, ...missingIn(verdicts), ...problems],
      streams: verdicts.map(({ name, component, isTemplate, runs }) => ({
        name,
        at: manifest.at(component),
        isTemplate,
        runs,
      })),
      spec: connectionSpecification(manifest),
      preview: null,
    }
  }
}

function notRun(type: string, at: Problem['at']): Problem {
  const code = 'manifest/unsupported-component'
  return { code, severity: 'warning', message: `This version does not run ${type}.`, at, hint: hints[code] }
}

/** Streams may wait for the same class. */
function missingIn(verdicts: readonly StreamVerdict[]): Problem[] {
  const missing = verdicts.flatMap((verdict) => verdict.missing)
  return [...new Map(missing.map((one) => [`${one.at.pointer} ${one.className}`, problemOfClass(one)])).values()]
}

function problemOfClass({ className, role, base, reason, code, at }: MissingClass): Problem {
  const message = `The ${role} \`${className}\` is not there yet: ${reason}`
  const hint = `Export \`class ${className.split('.').at(-1)} extends ${base}\`, with ${base} imported from 'turnleaf'.`
  return { code, severity: 'warning', message: message.endsWith('.') ? message : `${message}.`, at, hint }
}
