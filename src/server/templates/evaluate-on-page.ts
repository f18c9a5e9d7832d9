/** A template and a captured page → its value, as Python would show it. */
import type { z } from 'zod'
import type { Manifest } from '../../engine/manifest/manifest.ts'
import { checkManifest } from '../../engine/manifest/check.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { createRedactor, type Redactor } from '../../engine/secrets/redact.ts'
import { plainValue } from '../../engine/template/plain-value.ts'
import { readSentence } from '../../engine/template/syntax/syntax-error.ts'
import { compileTemplate, type Scope } from '../../engine/template/template.ts'
import { repr } from '../../engine/template/values/python-text.ts'
import { kindOf, typeName } from '../../engine/template/values/kind.ts'
import type { Value } from '../../engine/template/values/value.ts'
import { ConnectorError } from '../../std/errors.ts'
import type { CapturedPage, Captures, OpenCapture } from '../test-reads/captures.ts'
import type { Evaluation, evaluationRequest } from '../wire/evaluation.ts'
import { cutValue } from './cut-value.ts'
import { hideSecrets } from './hide-secrets.ts'
import { cursorScope } from '../../engine/pagination/next-page.ts'
import { tokenValue } from '../../engine/request/page-token.ts'
import { sliceForTemplates } from '../../engine/slices/slice.ts'
import { scopeFromJson } from '../../engine/template/evaluate-template.ts'

/** The limit of a shown value. */
const mostCharacters = 100_000

type EvaluationInput = Pick<z.output<typeof evaluationRequest>, 'config' | 'page' | 'text'>

type TemplateInputs = { readonly captured: Captured | null; readonly config: Config; readonly redactor: Redactor }

/** What the template of this request is evaluated with. */
export function inputsFor({ config, page, text }: EvaluationInput, captures: Captures): TemplateInputs {
  const captured = page === undefined ? null : captures.find(page.read, page)
  const manifest: Manifest | null =
    captured?.read.stream.manifest ?? (text === undefined ? null : checkManifest(text).manifest)
  const known = { ...captured?.read.stream.config, ...config }
  const redactor = captured?.read.stream.redactor ?? createRedactor([])
  return { captured, config: hideSecrets(known, manifest), redactor }
}

export function evaluateOnPage(request: z.output<typeof evaluationRequest>, captures: Captures): Evaluation {
  const { captured, config, redactor } = inputsFor(request, captures)
  const scope = templateScope(captured, config, request.context)
  const value = valueOf(request.template, scope, request.as, redactor)
  if (value === undefined) return { value: null, type: 'NoneType', repr: 'None', isCut: false, isLeftOut: true }
  const { value: cut, isCut } = cutValue(value, mostCharacters)
  const shown = redactor.value(plainValue(cut))
  // Values that JSON does not have are redacted in their text.
  const text = redactor.text(repr(shown === cut ? cut : (redactor.value(cut) as Value)))
  return { value: shown, type: pythonType(value), repr: isCut ? `${text} …` : text, isCut, isLeftOut: false }
}

type As = z.output<typeof evaluationRequest>['as']

/** Errors may quote values of the page, so they are redacted. */
function valueOf(template: string, scope: Scope, as: As, redactor: Redactor): Value | undefined {
  try {
    return compileTemplate(template).evaluate(scope, as)
  } catch (error) {
    throw redactor.error(error instanceof ConnectorError ? withPosition(error) : error)
  }
}

/** Moves line and column from the message to `at`. */
function withPosition(error: ConnectorError): ConnectorError {
  const found = readSentence(error.message)
  if (found === null) return error
  const { what, line, column } = found
  const message = what.charAt(0).toUpperCase() + what.slice(1)
  const at = { pointer: '', line, column }
  return new ConnectorError(error.code, message, { at, hint: error.hint })
}

type Captured = { readonly read: OpenCapture; readonly page: CapturedPage }

/** The names of all kinds of templates together. The config has no secrets. */
export function templateScope(captured: Captured | null, config: Config, context: Config = {}): Scope {
  const named = scopeFromJson(context)
  if (captured === null) return { config, parameters: {}, ...named }
  const { page, read } = captured
  const { plan } = read.stream
  const { pagination, requester } = plan
  const parameters = { ...requester.parameters, ...(pagination.kind !== 'none' && pagination.parameters) }
  const { response, receivedCount, slice, next } = page
  const pageSize = pagination.kind === 'cursor' ? pagination.pageSize : null
  return {
    ...slice.extra,
    ...cursorScope({ ...response, receivedCount }, { config, parameters, streamName: plan.name, pageSize }),
    stream_slice: sliceForTemplates(slice),
    next_page_token: next === null ? null : { next_page_token: tokenValue(next) },
    record: page.records[0] ?? null,
    ...named,
  }
}

export function pythonType(value: unknown): string {
  switch (kindOf(value)) {
    case 'none':
      return 'NoneType'
    case 'mapping':
      return 'dict'
    default:
      return typeName(value)
  }
}
