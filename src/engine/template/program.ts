/** Template text → closures, and what is known about it before it runs. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import { compileBody, type Write } from './compile/statements.ts'
import { compileExpression, type Evaluate } from './compile/expressions.ts'
import { globals } from './globals.ts'
import { maxCachedTemplates, maxSourceLength } from './limits.ts'
import { namesOf } from './syntax/names.ts'
import { parseTemplate } from './syntax/statements.ts'
import { sentence, syntaxError, SyntaxTrouble } from './syntax/syntax-error.ts'
import { normalise } from './syntax/tokens.ts'
import type { EvaluateAs } from './outcome.ts'
import { Trouble } from './trouble.ts'
import type { Value } from './values/value.ts'

export type Program = {
  readonly source: string
  /** Without `{{`, `{%` or `{#`: the text itself. */
  readonly plainText: string | null
  /** What the plain text means in each place, once it was needed. */
  readonly plainOutcomes: Map<EvaluateAs, Value | undefined>
  /** The names it needs from its scope. */
  readonly names: ReadonlySet<string>
  /** The same as a list, which is quicker to iterate. */
  readonly needs: readonly string[]
  /** Airbyte refuses the word `stream_state` wherever it is. */
  readonly readsState: boolean
  /** Set when the template is one `{{ … }}` and nothing else: its value need not become text first. */
  readonly value: Evaluate | null
  readonly write: Write
  /** Calls methods that change lists or dicts. */
  readonly changesValues: boolean
}

const delimiter = /\{[{%#]/
const changing = 'append|extend|insert|remove|pop|popitem|clear|update|setdefault|sort|reverse'
const changingCall = new RegExp(`\\.\\s*(?:${changing})\\s*\\(|["'](?:${changing})["']`)

const cache = new Map<string, Program>()

/** Compiled once per text; the oldest is forgotten when there are too many. */
export function programOf(source: string, at: SourceLocation | undefined): Program {
  const known = cache.get(source)
  if (known !== undefined) return known
  const made = compile(source, at)
  if (cache.size >= maxCachedTemplates) cache.delete(cache.keys().next().value ?? '')
  cache.set(source, made)
  return made
}

function compile(source: string, at: SourceLocation | undefined): Program {
  if (source.length > maxSourceLength) {
    throw new ConnectorError(
      'template/too-much-work',
      sentence(source, 0, `is longer than ${maxSourceLength} characters`),
      { at },
    )
  }
  const text = normalise(source)
  if (!delimiter.test(text)) {
    const readsState = source.includes('stream_state')
    return {
      source,
      plainText: text,
      plainOutcomes: new Map(),
      names: new Set(),
      needs: [],
      readsState,
      value: null,
      write: () => text,
      changesValues: false,
    }
  }
  try {
    return compileParsed(source, text)
  } catch (error) {
    if (error instanceof SyntaxTrouble) throw syntaxError(error, text, at)
    if (error instanceof Trouble) throw new ConnectorError(error.code, sentence(text, 0, error.message), { at })
    throw error
  }
}

function compileParsed(source: string, text: string): Program {
  const body = parseTemplate(text)
  const { read, set } = namesOf(body)
  const [first] = body
  const single = body.length === 1 && first?.kind === 'output' ? first.value : null
  const needs = [...read].filter((name) => !globals.has(name) && name !== 'self')
  return {
    source,
    plainText: null,
    plainOutcomes: new Map(),
    names: new Set(needs),
    needs,
    readsState: text.includes('stream_state'),
    value: single === null ? null : compileExpression(single, set),
    write: compileBody(body, set),
    changesValues: changingCall.test(text),
  }
}
