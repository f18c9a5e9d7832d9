/** Arguments and calls → closures. */
import { HostFunction } from '../host.ts'
import { spend } from '../meter.ts'
import { methodOf } from '../methods/attributes.ts'
import { MethodArguments } from '../methods/method.ts'
import { privateCopy } from '../private-copy.ts'
import type { TemplateRun } from '../template-run.ts'
import type { Arguments, Expression } from '../syntax/ast.ts'
import { isNothing, needs, Trouble, wrongType } from '../trouble.ts'
import { getAttribute, isInternal } from '../values/access.ts'
import { bind, type Call, Callable } from '../values/callable.ts'
import { Undefined } from '../values/containers.ts'
import { asDict, dictEntries } from '../values/dict.ts'
import { listOf } from '../values/iterate.ts'
import { usedUndefined } from '../values/undefined.ts'
import type { Value } from '../values/value.ts'
import { type Evaluate, compileExpression, type Names } from './expressions.ts'

const noCall: Call = { positional: [], named: null }

/** Arguments → a closure that evaluates them in order. */
export function compileArguments(args: Arguments, names: Names): (run: TemplateRun) => Call {
  const positional = args.positional.map((value) => compileExpression(value, names))
  const named = args.named.map(([name, value]) => [name, compileExpression(value, names)] as const)
  const spread = args.spread === null ? null : compileExpression(args.spread, names)
  const spreadNamed = args.spreadNamed === null ? null : compileExpression(args.spreadNamed, names)
  if (positional.length === 0 && named.length === 0 && spread === null && spreadNamed === null) return () => noCall
  const isPlain = named.length === 0 && spread === null && spreadNamed === null
  if (isPlain) return (run) => ({ positional: positional.map((value) => value(run)), named: null })
  return (run) => {
    const values = positional.map((value) => value(run))
    const byName = new Map(named.map(([name, value]) => [name, value(run)]))
    if (spread !== null) values.push(...listOf(spread(run)))
    if (spreadNamed !== null) addNamed(byName, spreadNamed(run))
    return { positional: values, named: byName }
  }
}

function addNamed(byName: Map<string, Value>, extra: Value): void {
  const dict = asDict(extra)
  if (dict === null) throw needs('`**`', 'a dict', extra)
  for (const [name, value] of dictEntries(dict)) {
    if (typeof name !== 'string' || byName.has(name))
      throw wrongType('`**` gives a name twice, or one that is not a string')
    byName.set(name, value)
  }
}

export function compileCall(node: Expression & { kind: 'call' }, names: Names): Evaluate {
  const args = compileArguments(node.args, names)
  const { callee, at } = node
  if (callee.kind === 'attribute') return compileMethodCall(compileExpression(callee.of, names), callee.name, args, at)
  const target = compileExpression(callee, names)
  return (run) => {
    const called = target(run)
    const call = args(run)
    run.at = at
    return invoke(called, call, run)
  }
}

/** `x.name(…)`, without making the bound method in between. */
function compileMethodCall(of: Evaluate, name: string, args: (run: TemplateRun) => Call, at: number): Evaluate {
  const isForbidden = isInternal(name)
  return (run) => {
    const self = of(run)
    run.at = at
    const method = isForbidden ? undefined : methodOf(self, name)
    if (method === undefined) {
      const called = getAttribute(self, name)
      const call = args(run)
      run.at = at
      if (called instanceof Undefined && !called.isForbidden && !isNothing(self)) throw noMethod(called)
      return invoke(called, call, run)
    }
    const call = args(run)
    run.at = at
    spend(1)
    return method.body(self, new MethodArguments(name, bind(name, method.accepts, call)), run, call)
  }
}

/** A method that the value does not have is a mistake of the author; a value that is not there may be none. */
function noMethod({ message }: Undefined): Trouble {
  return new Trouble('undefined', message)
}

function invoke(called: Value, call: Call, run: TemplateRun): Value {
  spend(1)
  if (called instanceof Callable) return called.call(call, run)
  if (called instanceof HostFunction) {
    if (call.named !== null && call.named.size > 0) throw wrongType('this function takes no arguments by name')
    const result = called.call(...call.positional)
    return run.copies === null ? result : privateCopy(result, run.copies)
  }
  usedUndefined(called)
  throw needs('a call', 'a function', called)
}
