/** A manifest as it is being written → what is wrong with it, what it offers, and what it would ask first. */
import { type Checked, checkManifest } from '../../engine/manifest/check.ts'
import { customClassesIn } from '../../engine/manifest/custom-types.ts'
import type { Manifest } from '../../engine/manifest/manifest.ts'
import { parseText } from '../../engine/manifest/parse.ts'
import { unsupportedIn } from '../../engine/manifest/supported.ts'
import { connectionSpecification } from '../../engine/plan/config.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { hints, type Problem } from '../../std/errors.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import type { MissingClass } from '../../validation/missing-files.ts'
import {
  draftProblems,
  problemsOf,
  streamsIn,
  type StreamVerdict,
  streamVerdicts,
  uniqueProblems,
} from '../../validation/stream-verdicts.ts'
import type { Inspection, InspectionRequest, Preview } from '../wire/inspection.ts'
import { previewOf } from './preview.ts'

export type Inspect = (request: InspectionRequest, folder: string | null) => Promise<Inspection>

type Known = Checked & { verdicts: StreamVerdict[] | null }

/** Texts whose check is remembered: somebody who types asks for problems and for previews of one text. */
const mostTexts = 4

export function openInspection(): Inspect {
  const known = new Map<string, Known>()
  const check = (text: string): Known => {
    const checked = known.get(text) ?? { ...checkManifest(text), verdicts: null }
    known.delete(text)
    known.set(text, checked)
    if (known.size > mostTexts) known.delete(known.keys().next().value as string)
    return checked
  }
  return async ({ text, stream, config = {} }, folder) => {
    const checked = check(text)
    const { manifest, problems } = checked
    const preview = stream === undefined ? null : await previewIn({ text, manifest, problems }, stream, config)
    if (manifest === null) {
      const further = checked.draft === undefined ? [] : await draftProblems(checked.draft, folder)
      return { problems: uniqueProblems([...problems, ...further]), streams: [], spec: null, preview }
    }
    const verdicts = checked.verdicts ?? (await streamVerdicts(manifest, folder))
    // Classes come and go on disk; what needs none stays as it is.
    if (customClassesIn(manifest.root).length === 0) checked.verdicts = verdicts
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
      preview,
    }
  }
}

type Inspected = Checked & { readonly text: string }

async function previewIn({ text, manifest, problems }: Inspected, stream: string, config: Config): Promise<Preview> {
  const whole = manifest ?? alone(text, stream)
  const found = whole === null ? undefined : streamsIn(whole).find(({ name }) => name === stream)
  const none = { stream, requests: [], stops: '' }
  if (whole === null) return { ...none, trouble: problems[0]?.message ?? 'The manifest cannot be read.' }
  if (found === undefined) return { ...none, trouble: `There is no stream "${stream}".` }
  if (found.isTemplate) return { ...none, trouble: 'The streams that a template makes are known when it is run.' }
  return previewOf(whole, stream, found.component, config)
}

/** The manifest with this stream only: what is wrong with another one need not hide its requests. */
function alone(text: string, stream: string): Manifest | null {
  try {
    const { value } = parseText(text)
    if (!isObject(value) || !isList(value.streams)) return null
    const streams = value.streams.filter((one) => isObject(one) && (one.name === stream || '$ref' in one))
    return checkManifest({ ...value, streams, dynamic_streams: [] }).manifest
  } catch {
    return null
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
