/** Expressions → closures: each is compiled once and run often. */
import { type Filter, applyFilter } from '../filters/filter.ts'
import { allFilters } from '../filters/all-filters.ts'
import { globals } from '../globals.ts'
import { spend, spendText } from '../meter.ts'
import { isDictMethod } from '../methods/attributes.ts'
import { privateCopy } from '../private-copy.ts'
import type { TemplateRun } from '../template-run.ts'
import type { Expression, FilterCall } from '../syntax/ast.ts'
import { SyntaxTrouble } from '../syntax/syntax-error.ts'
import { isTest, runTest, testNames } from '../tests.ts'
import { getAttribute, getItem, getKey, getSlice, isInternal } from '../values/access.ts'
import { calculate, signed } from '../values/arithmetic.ts'
import { Namespace, Tuple, Undefined } from '../values/containers.ts'
import { mapSet } from '../values/dict.ts'
import { truthy } from '../values/equality.ts'
import { str } from '../values/python-text.ts'
import type { Value } from '../values/value.ts'
import { compileArguments, compileCall } from './calls.ts'
import { compileComparison } from './comparisons.ts'
import { nearMiss } from '../../../std/text/near-miss.ts'

export type Evaluate = (run: TemplateRun) => Value

/** Names that the template sets somewhere; all others come straight from the scope. */
export type Names = ReadonlySet<string>

export function compileExpression(node: Expression, names: Names): Evaluate {
  switch (node.kind) {
    case 'constant': {
      const { value } = node
      return () => value
    }
    case 'name':
      return compileName(node.name, names)
    case 'attribute':
      return compileAttribute(node, names)
    case 'item':
      return compileItem(node, names)
    case 'slice':
      return compileSlice(node, names)
    case 'call':
      return compileCall(node, names)
    case 'filter': {
      const input = compileExpression(node.input, names)
      const filter = compileFilter(node, names)
      return (run) => filter(input(run), run)
    }
    case 'test':
      return compileTest(node, names)
    case 'compare':
      return compileComparison(node, names)
    case 'concat':
      return compileConcat(node, names)
    default:
      return compileOperation(node, names)
  }
}

type Operation = Exclude<
  Expression,
  { kind: 'constant' | 'name' | 'attribute' | 'item' | 'slice' | 'call' | 'filter' | 'test' | 'compare' | 'concat' }
>

function compileOperation(node: Operation, names: Names): Evaluate {
  switch (node.kind) {
    case 'not': {
      const operand = compileExpression(node.operand, names)
      return (run) => !truthy(operand(run))
    }
    case 'and':
    case 'or': {
      const [left, right] = [compileExpression(node.left, names), compileExpression(node.right, names)]
      const stopsAt = node.kind === 'or'
      return (run) => {
        const value = left(run)
        return truthy(value) === stopsAt ? value : right(run)
      }
    }
    case 'binary': {
      const [left, right] = [compileExpression(node.left, names), compileExpression(node.right, names)]
      const { operator, at } = node
      return (run) => {
        const [a, b] = [left(run), right(run)]
        run.at = at
        spend(1)
        return calculate(operator, a, b)
      }
    }
    case 'sign': {
      const operand = compileExpression(node.operand, names)
      const { operator, at } = node
      return (run) => {
        const value = operand(run)
        run.at = at
        return signed(operator, value)
      }
    }
    case 'condition': {
      const [test, yes] = [compileExpression(node.test, names), compileExpression(node.yes, names)]
      const no = node.no === null ? noElse : compileExpression(node.no, names)
      return (run) => (truthy(test(run)) ? yes(run) : no(run))
    }
    case 'list': {
      const items = node.items.map((item) => compileExpression(item, names))
      return (run) => {
        spend(1 + items.length / 10)
        return items.map((item) => item(run))
      }
    }
    case 'tuple': {
      const items = node.items.map((item) => compileExpression(item, names))
      return (run) => new Tuple(items.map((item) => item(run)))
    }
    case 'dict': {
      const entries = node.entries.map(
        ([key, value]) => [compileExpression(key, names), compileExpression(value, names)] as const,
      )
      return (run) => {
        spend(1 + entries.length / 10)
        const map = new Map<Value, Value>()
        for (const [key, value] of entries) mapSet(map, key(run), value(run))
        return map
      }
    }
  }
}

const noElse: Evaluate = () => new Undefined('the condition is false and there is no `else`')

function compileName(name: string, names: Names): Evaluate {
  const global = globals.get(name)
  const fromScope: Evaluate = (run) => {
    const { scope } = run
    const found = Object.hasOwn(scope, name) ? scope[name] : aliased(run, name)
    if (found === undefined)
      return global ?? (name === 'self' ? new Namespace(new Map()) : new Undefined(`\`${name}\` is not set`))
    return run.copies === null ? (found as Value) : privateCopy(found, run.copies)
  }
  if (!names.has(name)) return fromScope
  return (run) => {
    const found = run.frame?.find(name)
    return found === undefined ? fromScope(run) : found
  }
}

/** `stream_interval` and `stream_partition` are older names of `stream_slice`. */
const aliases: Record<string, string> = { stream_interval: 'stream_slice', stream_partition: 'stream_slice' }

export function aliasOf(name: string): string | undefined {
  return Object.hasOwn(aliases, name) ? aliases[name] : undefined
}

function aliased(run: TemplateRun, name: string): unknown {
  const alias = aliasOf(name)
  return alias !== undefined && Object.hasOwn(run.scope, alias) ? run.scope[alias] : undefined
}

function compileAttribute(node: Expression & { kind: 'attribute' }, names: Names): Evaluate {
  const of = compileExpression(node.of, names)
  const { name, at } = node
  // A dict's key of that name is only reached when dicts have no such method.
  const read = isDictMethod(name) || isInternal(name) ? getAttribute : getKey
  return (run) => {
    const value = of(run)
    run.at = at
    return read(value, name)
  }
}

function compileItem(node: Expression & { kind: 'item' }, names: Names): Evaluate {
  const of = compileExpression(node.of, names)
  const { at } = node
  if (node.key.kind === 'constant') {
    const key = node.key.value
    return (run) => {
      const value = of(run)
      run.at = at
      return getItem(value, key)
    }
  }
  const key = compileExpression(node.key, names)
  return (run) => {
    const [value, index] = [of(run), key(run)]
    run.at = at
    return getItem(value, index)
  }
}

function compileSlice(node: Expression & { kind: 'slice' }, names: Names): Evaluate {
  const of = compileExpression(node.of, names)
  const bound = (part: Expression | null): Evaluate => (part === null ? () => null : compileExpression(part, names))
  const [start, stop, step] = [bound(node.start), bound(node.stop), bound(node.step)]
  return (run) => {
    const value = of(run)
    const [from, to, by] = [start(run), stop(run), step(run)]
    run.at = node.at
    return getSlice(value, from, to, by)
  }
}

function compileConcat(node: Expression & { kind: 'concat' }, names: Names): Evaluate {
  const parts = node.parts.map((part) => compileExpression(part, names))
  return (run) => {
    let text = ''
    for (const part of parts) text += str(part(run))
    run.at = node.at
    spendText(text.length)
    return text
  }
}

export function compileFilter(node: FilterCall, names: Names): (input: Value, run: TemplateRun) => Value {
  const filter: Filter | undefined = allFilters().get(node.name)
  if (filter === undefined) throw unknown('filter', node.name, [...allFilters().keys()], node.at)
  const args = compileArguments(node.args, names)
  return (input, run) => {
    const call = args(run)
    run.at = node.at
    spend(1)
    return applyFilter(node.name, filter, input, call, run)
  }
}

function compileTest(node: Expression & { kind: 'test' }, names: Names): Evaluate {
  if (!isTest(node.name)) throw unknown('test', node.name, testNames(), node.at)
  const input = compileExpression(node.input, names)
  const args = compileArguments(node.args, names)
  return (run) => {
    const value = input(run)
    const call = args(run)
    run.at = node.at
    return runTest(node.name, value, call, run)
  }
}

function unknown(what: string, name: string, known: readonly string[], at: number): SyntaxTrouble {
  const near = nearMiss(name, known)
  const guess = near === undefined ? '' : `; did you mean \`${near}\`?`
  return new SyntaxTrouble(`there is no ${what} \`${name.slice(0, 60)}\`${guess}`, at, 'template/unknown-function')
}
