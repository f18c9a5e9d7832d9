/** `{% macro %}` → a function the template can call. */
import { Frame } from '../template-run.ts'
import type { Statement } from '../syntax/ast.ts'
import { tooMuchWork } from '../trouble.ts'
import { Callable, signature } from '../values/callable.ts'
import { Undefined } from '../values/containers.ts'
import { given, type Value } from '../values/value.ts'
import { compileExpression, type Names } from './expressions.ts'
import { compileBody, inFrame, type Write } from './statements.ts'
import { maxNesting } from '../limits.ts'

export function compileMacro(statement: Statement & { kind: 'macro' }, names: Names): Write {
  const { name } = statement
  const body = compileBody(statement.body, names)
  const parameters = statement.parameters.map(([parameter, value]) => ({
    parameter,
    fallback: value === null ? null : compileExpression(value, names),
  }))
  // Every parameter may be left out; without a default it is undefined then.
  const accepts = signature(parameters.map(({ parameter }) => `${parameter}?`).join(' '))
  return (run) => {
    const macro = new Callable(name, accepts, (bound, caller) => {
      caller.macroDepth += 1
      if (caller.macroDepth > maxNesting) throw tooMuchWork('calls macros within macros too deeply')
      const text = inFrame(caller, () => {
        parameters.forEach(({ parameter, fallback }, index) => {
          const value = given(
            given(bound[index], fallback?.(caller) as Value),
            new Undefined(`\`${parameter}\` is not given`),
          )
          caller.frame?.values.set(parameter, value)
        })
        return body(caller)
      })
      caller.macroDepth -= 1
      return text
    })
    run.frame ??= new Frame(null)
    run.frame.values.set(name, macro)
    return ''
  }
}
