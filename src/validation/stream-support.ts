/** A checked manifest → which of its streams run, and why the others do not. */
import { isComponent } from '../engine/manifest/components.ts'
import { unsupportedTypesIn } from '../engine/manifest/supported.ts'
import type { Component, Manifest } from '../engine/manifest/manifest.ts'
import { nameOfDynamic } from '../engine/plan/dynamic.ts'
import { dynamicStreamsOf } from '../engine/streams/resolve-streams.ts'
import type { ErrorCode, Problem } from '../std/errors.ts'
import { fixedValueProblems } from './fixed-values.ts'
import { type MissingClass, missingClasses, missingSchemas } from './missing-files.ts'
import { concurrencyProblems, planProblems } from './plan-problems.ts'
import { templateProblems } from './template-problems.ts'
import type { ManifestDraft } from '../engine/manifest/check.ts'

export type StreamSupport = WrittenStream & {
  readonly runs: boolean
  readonly missing: readonly MissingClass[]
  /** Types of components that this version cannot run. */
  readonly unsupported: readonly string[]
  readonly problems: readonly Problem[]
}

type WrittenStream = {
  readonly name: string
  readonly component: Component
  /** A template that generates streams. */
  readonly isTemplate: boolean
}

/** Streams with conditions are checked as well. Without a folder there are no classes. */
export async function streamSupport(manifest: Manifest, folder: string | null): Promise<StreamSupport[]> {
  // Classes of the config rules are needed by every stream.
  const ofSpec = manifest.spec === null ? [] : await missingClasses(manifest, manifest.spec, folder)
  // A missing validation is only a warning.
  const always = ofSpec.filter(({ base }) => base !== 'ValidationStrategy')
  // The budget applies to every stream.
  const ofBudget = isComponent(manifest.root, 'DeclarativeSource') ? budgetProblems(manifest) : []
  const support: StreamSupport[] = []
  for (const written of declaredStreams(manifest)) {
    const { component } = written
    const unsupported = unsupportedTypesIn(component)
    const named = unsupported.length > 0 ? [] : [...always, ...(await missingClasses(manifest, component, folder))]
    const missing = named.filter((one) => !isWrong(one))
    const problems = unsupported.length > 0 ? [] : [...named.filter(isWrong).map(wrongClass), ...ofBudget]
    if (unsupported.length === 0) problems.push(...(await problemsIn(manifest, written, folder)))
    support.push({
      ...written,
      runs: unsupported.length === 0 && missing.every(isOneChoice) && !problems.some(isError),
      missing,
      unsupported,
      problems,
    })
  }
  return support
}

function budgetProblems(manifest: Manifest): Problem[] {
  const { api_budget: budget } = manifest.root as { api_budget?: Component | null }
  return [...(budget ? fixedValueProblems(manifest, budget) : []), ...concurrencyProblems(manifest)]
}

async function problemsIn(
  manifest: Manifest,
  { component, isTemplate }: WrittenStream,
  folder: string | null,
): Promise<Problem[]> {
  const problems = templateProblems(manifest, component)
  // Values of a template are replaced, and its streams have their own names and schema files.
  if (isTemplate) return problems
  const files = folder === null ? [] : await missingSchemas(manifest, component, folder)
  const wrong = [...problems, ...fixedValueProblems(manifest, component)]
  // Planning stops at its first error; the problems found before it have a better location.
  const plan = wrong.some(isError) ? [] : planProblems(manifest, component)
  return [...wrong, ...plan, ...files]
}

/** The class exists and cannot work, or its name is invalid; as opposed to a class that is not written yet. */
const wrongCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'plan/class-name-form',
  'plan/class-incomplete',
  'plan/class-wrong-base',
  'plan/class-file-outside',
])

function isWrong({ code, isOneChoice: isChoice }: MissingClass): boolean {
  return wrongCodes.has(code) && !isChoice
}

function wrongClass({ code, reason, at, hint }: MissingClass): Problem {
  return { code, severity: 'error', message: reason, at, hint }
}

/** Every stream of the manifest, then the templates that generate streams. */
export function declaredStreams(manifest: Manifest): WrittenStream[] {
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

export function problemsOf(support: readonly StreamSupport[]): Problem[] {
  return uniqueProblems(support.flatMap(({ problems }) => problems))
}

/** Errors first. Streams may share a definition: its problems are listed once. */
export function uniqueProblems(all: readonly Problem[]): Problem[] {
  const unique = [...new Map(all.map((one) => [`${one.at.pointer} ${one.message}`, one])).values()]
  return [...unique.filter(isError), ...unique.filter((one) => !isError(one))]
}

function isError({ severity }: Problem): boolean {
  return severity === 'error'
}

/** For a manifest with structural errors: streams without an error are checked as usual, of the others the templates. */
export async function draftProblems({ manifest, others }: ManifestDraft, folder: string | null): Promise<Problem[]> {
  const support = await streamSupport(manifest, folder)
  return uniqueProblems([...problemsOf(support), ...others.flatMap((one) => templateProblems(manifest, one))])
}
