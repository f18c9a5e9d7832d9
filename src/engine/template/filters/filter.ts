/** How filters are written down: input, arguments → value. */
import { MethodArguments, type Method, type Methods, methods } from '../methods/method.ts'
import type { TemplateRun } from '../template-run.ts'
import { bind, type Call } from '../values/callable.ts'
import type { Value } from '../values/value.ts'

export type Filter = Method<Value>
export type Filters = Methods<Value>

export const filters = methods<Value>

export function applyFilter(name: string, filter: Filter, input: Value, call: Call, run: TemplateRun): Value {
  const what = `| ${name}`
  return filter.body(input, new MethodArguments(what, bind(what, filter.accepts, call)), run, call)
}
