/** A manifest that passed its check → which of its streams run, and what keeps the others from it. */
import { isComponent } from '../engine/manifest/components.ts'
import type { Component, Manifest } from '../engine/manifest/manifest.ts'
import { unsupportedTypesIn } from '../engine/manifest/supported.ts'
import { nameOfDynamic } from '../engine/plan/dynamic.ts'
import { dynamicStreamsOf } from '../engine/streams/resolve-streams.ts'
import type { Problem } from '../errors.ts'
import { type MissingClass, missingClasses } from './missing-classes.ts'
import { templateProblems } from './template-problems.ts'

export type StreamVerdict = WrittenStream & {
  readonly runs: boolean
  readonly missing: readonly MissingClass[]
  /** Types of components that this version cannot run. */
  readonly unsupported: readonly string[]
  readonly problems: readonly Problem[]
}

export type WrittenStream = {
  readonly name: string
  readonly component: Component
  /** It stands for all streams that it makes. */
  readonly isTemplate: boolean
}

/** Conditions do not count: what they may admit must run. Without a folder there are no classes. */
export async function streamVerdicts(manifest: Manifest, folder: string | null): Promise<StreamVerdict[]> {
  // What the rules of the config need, every stream needs.
  const ofSpec = manifest.spec === null ? [] : await missingClasses(manifest, manifest.spec, folder)
  // A validation that is missing is passed over with a warning.
  const always = ofSpec.filter(({ base }) => base !== 'ValidationStrategy')
  const verdicts: StreamVerdict[] = []
  for (const written of streamsIn(manifest)) {
    const { component } = written
    const unsupported = unsupportedTypesIn(component)
    const missing = unsupported.length > 0 ? [] : [...always, ...(await missingClasses(manifest, component, folder))]
    const problems = unsupported.length > 0 ? [] : templateProblems(manifest, component)
    const runs = unsupported.length === 0 && missing.every(isOneChoice) && problems.length === 0
    verdicts.push({ ...written, runs, missing, unsupported, problems })
  }
  return verdicts
}

/** Every stream that the author wrote, templates of streams after the others. */
export function streamsIn(manifest: Manifest): WrittenStream[] {
  const written = manifest.streams.flatMap((member) =>
    isComponent(member, 'ConditionalStreams') ? (member.streams as readonly Component[]) : [member],
  )
  return [
    ...written.map((component, index) => ({ name: nameOf(component, index), component, isTemplate: false })),
    ...dynamicStreamsOf(manifest).map((component, index) => ({
      name: nameOfDynamic(component, index),
      component,
      isTemplate: true,
    })),
  ]
}

function nameOf({ name, type }: Component, index: number): string {
  return typeof name === 'string' ? name : `${type} ${index}`
}

export function isOneChoice(missing: MissingClass): boolean {
  return missing.isOneChoice
}

/** Streams may share a definition, and it is wrong once. */
export function problemsOf(verdicts: readonly StreamVerdict[]): Problem[] {
  const all = verdicts.flatMap(({ problems }) => problems)
  return [...new Map(all.map((one) => [`${one.at.pointer} ${one.message}`, one])).values()]
}
