/** Statements → closures that give their text. */
import { spend, spendText } from '../meter.ts'
import { Frame, type TemplateRun } from '../template-run.ts'
import type { Body, Statement, Target } from '../syntax/ast.ts'
import { failed, Trouble } from '../trouble.ts'
import { Namespace } from '../values/containers.ts'
import { describe } from '../values/describe.ts'
import { truthy } from '../values/equality.ts'
import { iterate } from '../values/iterate.ts'
import { str } from '../values/python-text.ts'
import type { Value } from '../values/value.ts'
import { compileExpression, compileFilter, type Names } from './expressions.ts'
import { compileFor } from './loops.ts'
import { compileMacro } from './macros.ts'

export type Write = (run: TemplateRun) => string

export function compileBody(body: Body, names: Names): Write {
  const parts = body.map((statement) => compileStatement(statement, names))
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  return (run) => {
    let text = ''
    for (const part of parts) {
      text += part(run)
      // A loop around this body writes it again and again; its text is counted there, too.
      spendText(text.length)
    }
    return text
  }
}

function compileStatement(statement: Statement, names: Names): Write {
  switch (statement.kind) {
    case 'text': {
      const { text } = statement
      return () => text
    }
    case 'output': {
      const value = compileExpression(statement.value, names)
      return (run) => {
        const found = value(run)
        run.at = statement.at
        return str(found)
      }
    }
    case 'if': {
      const test = compileExpression(statement.test, names)
      const [body, otherwise] = [compileBody(statement.body, names), compileBody(statement.otherwise, names)]
      return (run) => (truthy(test(run)) ? body(run) : otherwise(run))
    }
    case 'for':
      return compileFor(statement, names)
    case 'set': {
      const [value, assign] = [compileExpression(statement.value, names), compileTarget(statement.target)]
      return (run) => {
        const found = value(run)
        run.at = statement.at
        assign(found, run)
        return ''
      }
    }
    case 'macro':
      return compileMacro(statement, names)
    default:
      return compileBlock(statement, names)
  }
}

type Block = Statement & { kind: 'set-block' | 'with' | 'filter-block' | 'block' }

function compileBlock(statement: Block, names: Names): Write {
  const body = compileBody(statement.body, names)
  switch (statement.kind) {
    case 'block':
      return (run) => inFrame(run, () => body(run))
    case 'with': {
      const values = statement.targets.map(
        ([target, value]) => [compileTarget(target), compileExpression(value, names)] as const,
      )
      return (run) => {
        const found = values.map(([assign, value]) => [assign, value(run)] as const)
        return inFrame(run, () => {
          for (const [assign, value] of found) assign(value, run)
          return body(run)
        })
      }
    }
    case 'filter-block':
    case 'set-block': {
      const filters = statement.filters.map((filter) => compileFilter(filter, names))
      const write: (run: TemplateRun) => Value = (run) =>
        filters.reduce(
          (text: Value, filter) => filter(text, run),
          inFrame(run, () => body(run)),
        )
      if (statement.kind === 'filter-block') return (run) => str(write(run))
      const assign = compileTarget(statement.target)
      return (run) => {
        assign(write(run), run)
        return ''
      }
    }
  }
}

/** Runs with a new frame: what is set inside is gone after. */
export function inFrame<T>(run: TemplateRun, work: () => T): T {
  const around = run.frame
  run.frame = new Frame(around)
  const result = work()
  run.frame = around
  return result
}

export function compileTarget(target: Target): (value: Value, run: TemplateRun) => void {
  switch (target.kind) {
    case 'name': {
      const { name } = target
      return (value, run) => {
        run.frame ??= new Frame(null)
        run.frame.values.set(name, value)
      }
    }
    case 'attribute':
      return (value, run) => {
        const owner = run.frame?.find(target.name)
        if (!(owner instanceof Namespace)) throw new Trouble('wrong-type', `\`${target.name}\` is not a namespace`)
        owner.entries.set(target.attribute, value)
      }
    case 'tuple': {
      const targets = target.items.map(compileTarget)
      return (value, run) => {
        const members = unpack(value, targets.length)
        targets.forEach((assign, index) => assign(members[index] as Value, run))
      }
    }
  }
}

function unpack(value: Value, count: number): Value[] {
  const members: Value[] = []
  for (const member of iterate(value, 'unpacking')) {
    spend(0.1)
    members.push(member)
    if (members.length > count) break
  }
  if (members.length !== count) throw failed(`${describe(value)} does not hold ${count} values to unpack`)
  return members
}
