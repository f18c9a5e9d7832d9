/** `{% for %}` → a closure; `loop` has the position of the body. */
import { spend, spendText } from '../meter.ts'
import type { TemplateRun } from '../template-run.ts'
import type { Statement } from '../syntax/ast.ts'
import { tooMuchWork } from '../trouble.ts'
import { callable } from '../values/callable.ts'
import { Namespace, Undefined } from '../values/containers.ts'
import { same, truthy } from '../values/equality.ts'
import { listOf } from '../values/iterate.ts'
import { given, type Value } from '../values/value.ts'
import { compileExpression, type Names } from './expressions.ts'
import { compileBody, compileTarget, inFrame, type Write } from './statements.ts'
import { maxNesting } from '../limits.ts'

export function compileFor(statement: Statement & { kind: 'for' }, names: Names): Write {
  const over = compileExpression(statement.over, names)
  const assign = compileTarget(statement.target)
  const test = statement.test === null ? null : compileExpression(statement.test, names)
  const [body, otherwise] = [compileBody(statement.body, names), compileBody(statement.otherwise, names)]

  const iterate = (values: Value, run: TemplateRun, depth: number): string => {
    if (depth > maxNesting) throw tooMuchWork('loops within loops too deeply')
    const all = listOf(values, '`for`')
    const items = test === null ? all : all.filter((item) => inFrame(run, () => (assign(item, run), truthy(test(run)))))
    if (items.length === 0) return inFrame(run, () => otherwise(run))
    const loop = new Loop(items, depth)
    if (statement.isRecursive)
      loop.recurse = callable('loop', 'values', ([inner]) => iterate(inner as Value, run, depth + 1))
    let text = ''
    for (const [index, item] of items.entries()) {
      spend(1)
      text += inFrame(run, () => {
        assign(item, run)
        run.frame?.values.set('loop', loop.at(index))
        return body(run)
      })
      spendText(text.length)
    }
    return text
  }
  return (run) => {
    const values = over(run)
    run.at = statement.at
    return iterate(values, run, 0)
  }
}

class Loop {
  readonly #items: readonly Value[]
  readonly #depth: number
  #lastChanged: Value | undefined
  recurse: Value | null = null

  constructor(items: readonly Value[], depth: number) {
    this.#items = items
    this.#depth = depth
  }

  at(index: number): Value {
    if (this.recurse !== null) return this.recurse
    const { length } = this.#items
    const entries: [string, Value][] = [
      ['index', index + 1],
      ['index0', index],
      ['revindex', length - index],
      ['revindex0', length - index - 1],
      ['first', index === 0],
      ['last', index === length - 1],
      ['length', length],
      ['depth', this.#depth + 1],
      ['depth0', this.#depth],
      ['previtem', given(this.#items[index - 1], new Undefined('there is no previous member'))],
      ['nextitem', given(this.#items[index + 1], new Undefined('there is no next member'))],
      ['cycle', callable('cycle', '*', (_, __, { positional }) => given(positional[index % positional.length], null))],
      ['changed', callable('changed', 'value', ([value]) => this.#changed(value as Value))],
    ]
    return new Namespace(new Map<Value, Value>(entries))
  }

  #changed(value: Value): boolean {
    const hasChanged = this.#lastChanged === undefined || !same(this.#lastChanged, value)
    this.#lastChanged = value
    return hasChanged
  }
}
