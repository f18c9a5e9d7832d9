/** `value is name` → true or false: Jinja's tests. */
import { allFilters } from './filters/all-filters.ts'
import { MethodArguments, type Method, type Methods, methods } from './methods/method.ts'
import { isLower, isUpper } from './methods/string-shape-methods.ts'
import type { TemplateRun } from './template-run.ts'
import { Trouble } from './trouble.ts'
import { calculate } from './values/arithmetic.ts'
import { bind, type Call } from './values/callable.ts'
import { hashable } from './values/dict.ts'
import { compare, contains, equals, truthy } from './values/equality.ts'
import { membersOf, pythonLength } from './values/iterate.ts'
import { str } from './values/python-text.ts'
import { isInt, isNumber, kindOf } from './values/kind.ts'
import type { Value } from './values/value.ts'

type TestBody = Method<Value>['body']

const plain = (test: (input: Value) => boolean): readonly [string, TestBody] => ['', (input) => test(input)]
const against = (test: (input: Value, other: Value) => boolean): readonly [string, TestBody] => [
  'other',
  (input, args) => test(input, args.value(0)),
]

const equal = against((input, other) => equals(input, other))
const unequal = against((input, other) => !equals(input, other))
const below = against((input, other) => compare(input, other, '<') < 0)
const atMost = against((input, other) => compare(input, other, '<=') <= 0)
const above = against((input, other) => compare(input, other, '>') > 0)
const atLeast = against((input, other) => compare(input, other, '>=') >= 0)

function remainderIs(input: Value, divisor: Value, rest: number): boolean {
  return equals(calculate('%', input, divisor), rest)
}

function isKnown(name: Value, table: ReadonlyMap<string, unknown>): boolean {
  hashable(name)
  return typeof name === 'string' && table.has(name)
}

const sequences = new Set(['list', 'tuple', 'str', 'dict', 'mapping', 'bytes', 'undefined'])

const all: Methods<Value> = methods<Value>({
  defined: plain((input) => kindOf(input) !== 'undefined'),
  undefined: plain((input) => kindOf(input) === 'undefined'),
  none: plain((input) => input === null),
  true: plain((input) => input === true),
  false: plain((input) => input === false),
  boolean: plain((input) => typeof input === 'boolean'),
  integer: plain((input) => isInt(input) && typeof input !== 'boolean'),
  float: plain((input) => isNumber(input) && !isInt(input)),
  number: plain((input) => isNumber(input)),
  string: plain((input) => typeof input === 'string'),
  mapping: plain((input) => kindOf(input) === 'dict' || kindOf(input) === 'mapping'),
  sequence: plain((input) => pythonLength(input) !== null && sequences.has(kindOf(input))),
  iterable: plain((input) => membersOf(input) !== null),
  callable: plain((input) => kindOf(input) === 'callable' || kindOf(input) === 'undefined'),
  // Nothing here is marked as HTML, so nothing is escaped for good.
  escaped: plain(() => false),
  lower: plain((input) => isLower(str(input))),
  upper: plain((input) => isUpper(str(input))),
  even: plain((input) => remainderIs(input, 2, 0)),
  odd: plain((input) => remainderIs(input, 2, 1)),
  divisibleby: against((input, divisor) => remainderIs(input, divisor, 0)),
  in: against((input, haystack) => contains(haystack, input)),
  sameas: against((input, other) => Object.is(input, other)),
  filter: plain((input) => isKnown(input, allFilters())),
  test: plain((input) => isKnown(input, all)),
  eq: equal,
  equalto: equal,
  '==': equal,
  ne: unequal,
  '!=': unequal,
  lt: below,
  lessthan: below,
  '<': below,
  le: atMost,
  '<=': atMost,
  gt: above,
  greaterthan: above,
  '>': above,
  ge: atLeast,
  '>=': atLeast,
})

export function isTest(name: string): boolean {
  return all.has(name)
}

export function testNames(): string[] {
  return [...all.keys()]
}

export function runTest(name: string, input: Value, call: Call, run: TemplateRun): boolean {
  const test = all.get(name)
  if (test === undefined) throw new Trouble('failed', `there is no test \`${name.slice(0, 40)}\``)
  const what = `is ${name}`
  return truthy(test.body(input, new MethodArguments(what, bind(what, test.accepts, call)), run, call))
}
