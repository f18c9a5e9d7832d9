/** A manifest as it is being written → its problems, its streams, and a preview of its first requests. */
import { type Checked, checkManifest } from '../../engine/manifest/check.ts'
import { customClassesIn } from '../../engine/manifest/custom-types.ts'
import type { Manifest } from '../../engine/manifest/manifest.ts'
import { parseText } from '../../engine/manifest/parse.ts'
import { unsupportedIn } from '../../engine/manifest/supported.ts'
import { connectionSpecification } from '../../engine/plan/config.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { unknownStream } from '../../engine/plan/stream.ts'
import { hints, type Problem } from '../../std/errors.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import type { MissingClass } from '../../validation/missing-files.ts'
import {
  draftProblems,
  problemsOf,
  declaredStreams,
  type StreamSupport,
  streamSupport,
  uniqueProblems,
} from '../../validation/stream-support.ts'
import type { Inspection, InspectionRequest, Preview } from '../wire/inspection.ts'
import { previewOf } from './preview.ts'

export type Inspect = (request: InspectionRequest, folder: string | null) => Promise<Inspection>

type Known = Checked & { support: StreamSupport[] | null }

/** How many checks are cached: problems and previews of the same text are requested separately. */
const mostTexts = 4

export function openInspection(): Inspect {
  const known = new Map<string, Known>()
  const check = (text: string): Known => {
    const checked = known.get(text) ?? { ...checkManifest(text), support: null }
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
    const support = checked.support ?? (await streamSupport(manifest, folder))
    // Custom classes may change on disk; other results can be cached.
    if (customClassesIn(manifest.root).length === 0) checked.support = support
    const unsupported = unsupportedIn(manifest.root).map(({ type, node }) => notRun(type, manifest.at(node)))
    return {
      problems: [...problemsOf(support), ...unsupported, ...missingIn(support), ...problems],
      streams: support.map(({ name, component, isTemplate, runs }) => ({
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
  const whole = manifest ?? withStreamOnly(text, stream)
  const found = whole === null ? undefined : declaredStreams(whole).find(({ name }) => name === stream)
  const none = { stream, requests: [], stops: '' }
  if (whole === null) return { ...none, trouble: problems[0]?.message ?? 'The manifest cannot be read.' }
  if (found === undefined) return { ...none, trouble: sayUnknownStream(stream, manifest) }
  if (found.isTemplate) return { ...none, trouble: 'The streams that a template generates are known when it is run.' }
  return previewOf(whole, stream, found.component, config)
}

/** @param manifest null where problems of other streams keep it from being read: then it is not known what they are called. */
function sayUnknownStream(stream: string, manifest: Manifest | null): string {
  if (manifest === null) return `There is no stream "${stream}".`
  const names = declaredStreams(manifest).map(({ name }) => name)
  const { message, hint } = unknownStream(manifest, stream, names)
  return `${message} ${hint}`
}

/** The manifest with this stream only, so that problems of other streams do not prevent its preview. */
function withStreamOnly(text: string, stream: string): Manifest | null {
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
  return { code, severity: 'warning', message: `This version does not support ${type}.`, at, hint: hints[code] }
}

/** Each class once: streams may need the same. */
function missingIn(support: readonly StreamSupport[]): Problem[] {
  const missing = support.flatMap((stream) => stream.missing)
  return [...new Map(missing.map((one) => [`${one.at.pointer} ${one.className}`, problemOfClass(one)])).values()]
}

function problemOfClass({ className, role, base, reason, code, at }: MissingClass): Problem {
  const message = `The ${role} \`${className}\` is missing: ${reason}`
  const hint = `Export \`class ${className.split('.').at(-1)} extends ${base}\`, with ${base} imported from 'turnleaf'.`
  return { code, severity: 'warning', message: message.endsWith('.') ? message : `${message}.`, at, hint }
}
