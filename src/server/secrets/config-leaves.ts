/** The values within a config: each with its path, and the config with some of them replaced. */
import { isList, isObject } from '../../std/values/objects.ts'

export type LeafPath = readonly string[]

export type Leaf = { readonly path: LeafPath; readonly value: unknown }

export function configLeaves(value: unknown, path: LeafPath = []): Leaf[] {
  if (isList(value)) return value.flatMap((one, at) => configLeaves(one, [...path, String(at)]))
  if (!isObject(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([name, member]) => configLeaves(member, [...path, name]))
}

/** The same config with each value as `change` returns it. */
export function mapLeaves<Config>(config: Config, change: (leaf: Leaf) => unknown): Config {
  const map = (value: unknown, path: LeafPath): unknown => {
    if (isList(value)) return value.map((one, at) => map(one, [...path, String(at)]))
    if (!isObject(value)) return change({ path, value })
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member, [...path, name])]))
  }
  return map(config, []) as Config
}

export function leafKey(path: LeafPath): string {
  return JSON.stringify(path)
}
