/** The shape of a parsed template. `at` is an offset into the source, for error messages. */
import type { Operator } from '../values/arithmetic.ts'
import type { Value } from '../values/value.ts'

export type Arguments = {
  readonly positional: readonly Expression[]
  readonly named: readonly (readonly [string, Expression])[]
  readonly spread: Expression | null
  readonly spreadNamed: Expression | null
}

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in'

type Node<K extends string, T> = { readonly kind: K; readonly at: number } & Readonly<T>

export type Expression =
  | Node<'constant', { value: Value }>
  | Node<'name', { name: string }>
  | Node<'attribute', { of: Expression; name: string }>
  | Node<'item', { of: Expression; key: Expression }>
  | Node<'slice', { of: Expression; start: Expression | null; stop: Expression | null; step: Expression | null }>
  | Node<'call', { callee: Expression; args: Arguments }>
  | Node<'filter', { name: string; input: Expression; args: Arguments }>
  | Node<'test', { name: string; input: Expression; args: Arguments }>
  | Node<'not', { operand: Expression }>
  | Node<'and' | 'or', { left: Expression; right: Expression }>
  | Node<'compare', { first: Expression; rest: readonly { operator: Comparison; operand: Expression }[] }>
  | Node<'binary', { operator: Operator; left: Expression; right: Expression }>
  | Node<'sign', { operator: '-' | '+'; operand: Expression }>
  | Node<'concat', { parts: readonly Expression[] }>
  | Node<'condition', { test: Expression; yes: Expression; no: Expression | null }>
  | Node<'list' | 'tuple', { items: readonly Expression[] }>
  | Node<'dict', { entries: readonly (readonly [Expression, Expression])[] }>

export type Target =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'tuple'; readonly items: readonly Target[] }
  | { readonly kind: 'attribute'; readonly name: string; readonly attribute: string }

export type FilterCall = { readonly name: string; readonly args: Arguments; readonly at: number }

export type Statement =
  | Node<'text', { text: string }>
  | Node<'output', { value: Expression }>
  | Node<'if', { test: Expression; body: Body; otherwise: Body }>
  | Node<
      'for',
      { target: Target; over: Expression; test: Expression | null; isRecursive: boolean; body: Body; otherwise: Body }
    >
  | Node<'set', { target: Target; value: Expression }>
  | Node<'set-block', { target: Target; filters: readonly FilterCall[]; body: Body }>
  | Node<'with', { targets: readonly (readonly [Target, Expression])[]; body: Body }>
  | Node<'filter-block', { filters: readonly FilterCall[]; body: Body }>
  | Node<'macro', { name: string; parameters: readonly (readonly [string, Expression | null])[]; body: Body }>
  | Node<'block', { body: Body }>

export type Body = readonly Statement[]
