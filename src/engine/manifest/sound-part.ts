/** A source with structural errors → what of it can be checked further. */
import { checkComponents } from './check-components.ts'
import { type ComponentType, isComponent } from './components.ts'
import type { Component } from './manifest.ts'
import type { Places } from './places.ts'
import { broken } from './references.ts'
import { isObject, type JsonObject } from './tree.ts'

export type SoundPart = {
  /** The source with the parts only that have no structural error. */
  readonly root: JsonObject
  /** The streams that were left out, as they are. */
  readonly others: readonly Component[]
}

const streamTypes: readonly ComponentType[] = ['ConditionalStreams', 'DeclarativeStream', 'StateDelegatingStream']

export function soundPart(root: JsonObject, places: Places): SoundPart {
  const isSound = (node: unknown, allowed: readonly ComponentType[]): node is JsonObject =>
    isObject(node) && !holdsBroken(node) && !checkComponents(node, places, allowed).some(isError)
  const streams = objectsIn(root.streams)
  const templates = objectsIn(root.dynamic_streams)
  const soundStreams = streams.filter((one) => isSound(one, streamTypes))
  const soundTemplates = templates.filter((one) => isSound(one, ['DynamicDeclarativeStream']))
  const { spec, api_budget: budget, ...rest } = root
  return {
    root: {
      ...rest,
      streams: soundStreams,
      dynamic_streams: soundTemplates,
      ...(isSound(spec, ['Spec']) && { spec }),
      ...(isSound(budget, ['HTTPAPIBudget']) && { api_budget: budget }),
    },
    others: [
      ...streams.filter((one) => !soundStreams.includes(one)).flatMap(streamsWithin),
      ...templates.filter((one) => !soundTemplates.includes(one)),
    ] as Component[],
  }
}

function objectsIn(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject).filter((one) => one !== broken) : []
}

function streamsWithin(stream: JsonObject): JsonObject[] {
  return isComponent(stream, 'ConditionalStreams') ? objectsIn((stream as JsonObject).streams) : [stream]
}

/** Whether a reference in it leads nowhere. */
function holdsBroken(node: object): boolean {
  const seen = new Set<object>()
  const left: object[] = [node]
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (one === broken) return true
    if (seen.has(one)) continue
    seen.add(one)
    for (const member of Object.values(one)) if (typeof member === 'object' && member !== null) left.push(member)
  }
  return false
}

function isError({ severity }: { readonly severity: string }): boolean {
  return severity === 'error'
}
