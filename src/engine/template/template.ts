/** `{{ … }}` → value: a template is compiled once and evaluated often, with Airbyte's rules for what its text becomes. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import { nearMiss } from '../../std/text/near-miss.ts'
import { aliasOf } from './compile/expressions.ts'
import { globals } from './globals.ts'
import { restoreMeter, startMeter } from './meter.ts'
import { type EvaluateAs, outcomeOfNothing, outcomeOfText, outcomeOfValue } from './outcome.ts'
import { type Program, programOf } from './program.ts'
import { TemplateRun } from './template-run.ts'
import type { Scope } from './scope.ts'
import { sentence } from './syntax/syntax-error.ts'
import { Trouble } from './trouble.ts'
import type { Value } from './values/value.ts'

export type { EvaluateAs } from './outcome.ts'
export { nowKey, type Scope, uuidKey, withClock } from './scope.ts'
export type { Value } from './values/value.ts'

export interface Template {
  readonly source: string
  /** No `{{ }}`, `{% %}` or `{# #}` in it. */
  readonly isPlain: boolean
  /** The names it reads from its scope; functions that every template has are not among them. */
  readonly names: ReadonlySet<string>
  /** `undefined`: the key is to be dropped (param, header and json, when the result is empty or undefined). */
  evaluate(scope: Scope, as?: EvaluateAs): Value | undefined
  /**
   * The same, but `instead` where the template uses a value that is missing or None: `response.paging.next` without
   * `paging`, `'next' in headers.get('Link')` without the header. For what decides about the next page, where a response
   * without that value is no mistake.
   */
  evaluateOr(instead: Value, scope: Scope, as?: EvaluateAs): Value | undefined
  /** The text before it is read as a literal. */
  render(scope: Scope): string
  /** The source: a plan prints its templates as they were written. */
  toJSON(): string
}

/**
 * `compileTemplate('{{ response.next }}').evaluate({ response: { next: '10' } })` is 10.
 * Throws ConnectorError `template/syntax` or `template/unknown-function`.
 */
export function compileTemplate(source: string, at?: SourceLocation): Template {
  return new CompiledTemplate(programOf(source, at), at)
}

/** Throws ConnectorError `template/unknown-name` where the template reads a name that is not among those offered. */
export function checkTemplate(source: string, offered: readonly string[], at?: SourceLocation): void {
  new CompiledTemplate(programOf(source, at), at).checkNames(Object.fromEntries(offered.map((name) => [name, null])))
}

/** For values that may be written out, or as a template. */
export function isTemplate(value: unknown): value is Template {
  return typeof value === 'object' && value !== null && 'evaluate' in value && typeof value.evaluate === 'function'
}

/** A text without templates means the same whatever the scope: decided once. */
function plainOutcome(text: string, decided: Program['plainOutcomes'], as: EvaluateAs): Value | undefined {
  if (!decided.has(as)) decided.set(as, outcomeOfText(text, as))
  return decided.get(as)
}

class CompiledTemplate implements Template {
  readonly #program: Program
  readonly #at: SourceLocation | undefined

  constructor(program: Program, at: SourceLocation | undefined) {
    this.#program = program
    this.#at = at
  }
  get source(): string {
    return this.#program.source
  }
  get isPlain(): boolean {
    return this.#program.plainText !== null
  }
  get names(): ReadonlySet<string> {
    return this.#program.names
  }
  toJSON(): string {
    return this.source
  }

  render(scope: Scope): string {
    const program = this.#program
    this.checkNames(scope)
    const run = new TemplateRun(scope, program.changesValues ? new Map() : null)
    const before = startMeter()
    try {
      return program.write(run)
    } catch (error) {
      throw this.#located(error, run.at)
    } finally {
      restoreMeter(before)
    }
  }

  evaluate(scope: Scope, as: EvaluateAs = 'string'): Value | undefined {
    return this.#evaluate(scope, as, undefined)
  }

  evaluateOr(instead: Value, scope: Scope, as: EvaluateAs = 'string'): Value | undefined {
    return this.#evaluate(scope, as, instead)
  }

  #evaluate(scope: Scope, as: EvaluateAs, instead: Value | undefined): Value | undefined {
    const program = this.#program
    this.checkNames(scope)
    if (program.plainText !== null) return plainOutcome(program.plainText, program.plainOutcomes, as)
    const run = new TemplateRun(scope, program.changesValues ? new Map() : null)
    const before = startMeter()
    try {
      return program.value === null ? outcomeOfText(program.write(run), as) : outcomeOfValue(program.value(run), as)
    } catch (error) {
      const forgives = as !== 'string' && as !== 'str_typed'
      if (forgives && error instanceof Trouble && error.kind === 'undefined') return outcomeOfNothing(as, '')
      if (instead !== undefined && error instanceof Trouble && error.isOfNothing) return instead
      throw this.#located(error, run.at)
    } finally {
      restoreMeter(before)
    }
  }

  #located(error: unknown, offset: number): unknown {
    if (error instanceof RangeError) return this.#error(new Trouble('too-much-work', 'nests too deeply'), offset)
    return error instanceof Trouble ? this.#error(error, offset) : error
  }

  #error(trouble: Trouble, offset: number): ConnectorError {
    const message = sentence(this.source, offset, trouble.message)
    return new ConnectorError(trouble.code, message, { at: this.#at, hint: trouble.hint })
  }

  /** Every name must be known before anything runs, also those in branches that are not taken. */
  checkNames(scope: Scope): void {
    const { needs, readsState, source } = this.#program
    if (readsState) {
      const gone = 'templates cannot read `stream_state`'
      throw this.#error(
        new Trouble('unknown-name', gone, { hint: 'Use `stream_interval` instead.' }),
        source.indexOf('stream_state'),
      )
    }
    for (let index = 0; index < needs.length; index++) {
      const name = needs[index] as string
      if (Object.hasOwn(scope, name)) continue
      const alias = aliasOf(name)
      if (alias === undefined || !Object.hasOwn(scope, alias)) throw this.#unknown(name, scope)
    }
  }

  #unknown(name: string, scope: Scope): ConnectorError {
    const offered = Object.keys(scope)
    const near = nearMiss(name, [...offered, ...globals.keys()])
    const guess = near === undefined ? '.' : `; did you mean \`${near}\`?`
    const offset = new RegExp(`(?<![\\w.])${name}(?!\\w)`, 'u').exec(this.source)?.index ?? 0
    return this.#error(
      new Trouble(
        'unknown-name',
        `there is no \`${name}\` here${guess} This place offers ${offered.join(', ') || 'nothing'}.`,
      ),
      offset,
    )
  }
}
