/** A run → the streams its manifest has under its config; they are requested from the API only when they are needed. */
import { hints } from '../std/errors.ts'
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
 * Every stream: written out, admitted by a condition, or made from a template. Requested once in a run. With `judge`, a list of streams that is
 * known to lack some is an error.
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
  const { at } = stream.plan
  const list = openWholeList(stream, { judge, name: 'list that streams are made of', at, hint: hintForStreams })
  for await (const { slice, page } of readStream(stream, { signal })) {
    list.observe(slice, page)
    for (const record of page.records) yield { record, slice }
  }
  list.end()
}

const hintForStreams = `${hints['records/list-incomplete']} Streams that are named with \`--stream\` are read without it.`
