/** Every fault the lab has on command, in one table: routing, the index page, the survey and the tests read it. */
import { Refusal } from './exchange.ts'
import { listFaults } from './faults/list-faults.ts'
import { requestFaults } from './faults/request-faults.ts'
import { responseFaults } from './faults/response-faults.ts'
import type { Fault, Hooks } from './faults/fault.ts'
import { oneOf, readWhole } from './parameters.ts'

export const faults: readonly Fault[] = [...requestFaults, ...listFaults, ...responseFaults]

/** Null when there is no fault of that name. */
export function findFault(name: string): Fault | null {
  return faults.find((fault) => fault.name === name) ?? null
}

/** The fault as the query wants it: `?cap=20`. */
export function hooksOf(fault: Fault, query = new URLSearchParams()): Hooks {
  const given = Object.entries(fault.parameters ?? {}).map(([name, otherwise]) => {
    return [name, readWhole(name, oneOf(query, name), { least: 0, otherwise })]
  })
  return fault.hooks(Object.fromEntries(given))
}

/** The path prefix of a fault; a dialect's path follows. */
export function faultPath({ name }: Fault): string {
  return `/faults/${name}`
}

/** `/faults/cycle/offset` → the fault, and the path after it. */
export function misbehaving(path: string): { fault: Fault | null; path: string } {
  const [, name, rest] = /^\/faults\/([^/]+)(\/.*)$/.exec(path) ?? []
  if (name === undefined || rest === undefined) return { fault: null, path }
  const fault = findFault(name)
  if (fault !== null) return { fault, path: rest }
  throw new Refusal(404, `There is no fault ${name}. There are ${faults.map((one) => one.name).join(', ')}.`)
}
