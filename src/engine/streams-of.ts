/** A run → the streams its manifest has under its config; they are requested from the API only when they are needed. */
import type { Component } from './manifest/manifest.ts'
import { type StreamOptions, openStream } from './opening/open-stream.ts'
import type { JudgeSlices } from './pages/read-parents.ts'
import { openWholeList } from './pages/whole-list.ts'
import { readStream } from './pages/read-stream.ts'
import type { OpenStream } from './pages/stream.ts'
import type { JsonRecord } from './plan/plan.ts'
import { type StreamPlan, planComponent, unknownStream } from './plan/stream.ts'
import { type Run, askingFor, redactErrors } from './run/run.ts'
import type { Slice } from './slices/slice.ts'
import { delegateOf } from './streams/delegate.ts'
import { type ResolvedStream, resolveStreams, writtenStreams } from './streams/resolve-streams.ts'

/**
 * Every stream: written out, admitted by a condition, or made from a template. Requested once in a run. With `judge`, the run knows
 * where the list of streams lacks some.
 */
export function streamsOf(run: Run, options: Cancel & Judging = {}): Promise<readonly ResolvedStream[]> {
  run.resolved.streams ??= resolve(run, options)
  return run.resolved.streams
}

type Cancel = { readonly signal?: AbortSignal | undefined }

type Judging = { readonly judge?: JudgeSlices | undefined }

async function resolve(run: Run, options: Cancel & Judging): Promise<readonly ResolvedStream[]> {
  return redactErrors(run, () => resolveStreams(run, (stream) => recordsOf(run, stream, options)))
}

/** The stream of this name; the only one where none is named. */
export async function streamNamed(run: Run, name: string | undefined, cancel: Cancel = {}): Promise<Component> {
  const written = await redactErrors(run, () => writtenStreams(run).find((one) => one.name === name))
  if (written !== undefined) return written.stream
  const all = await streamsOf(run, cancel)
  const found = all.find((one) => one.name === name) ?? (name === undefined && all.length === 1 ? all[0] : undefined)
  if (found !== undefined) return found.stream
  const names = all.map((one) => one.name)
  throw unknownStream(run.manifest, name, names)
}

/** The same, ready to be read. */
export async function openStreamNamed(
  run: Run,
  name: string | undefined,
  options: StreamOptions = {},
): Promise<OpenStream> {
  return openStream(run, await streamNamed(run, name, options), options)
}

/** What will be done for the stream of this name. */
export async function planNamed(run: Run, name: string | undefined, cancel: Cancel = {}): Promise<StreamPlan> {
  const component = await streamNamed(run, name, cancel)
  return redactErrors(run, () => {
    const { stream } = delegateOf(run, component, run.states.get(String(component.name)), run.now())
    return planComponent(run, stream)
  })
}

async function* recordsOf(
  run: Run,
  component: Component,
  { signal, judge }: Cancel & Judging,
): AsyncGenerator<{ record: JsonRecord; slice: Slice }> {
  const stream = await openStream(askingFor(run, { kind: 'lookup' }), component, { signal, judge })
  const list = openWholeList(stream, judge)
  for await (const { slice, page } of readStream(stream, { signal })) {
    list.observe(slice, page)
    for (const record of page.records) yield { record, slice }
  }
  const shortage = list.shortage()
  if (shortage === null) return
  run.resolved.shortage = `The list that streams are made of is incomplete: ${shortage}. Streams may be missing.`
}
