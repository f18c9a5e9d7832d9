/** A requester's plan → how its requests are built: by the plan alone, or changed by a custom class. */
import type { SourceLocation } from '../../std/errors.ts'
import { isUrl } from '../../std/text/is-url.ts'
import { awaitCustom, type CustomPlan, instantiate, runCustom } from '../custom/component.ts'
import { atOnce, objectOf, givenText } from '../custom/check-returned.ts'
import type { BodyPlan, RequesterPlan } from '../plan/requester.ts'
import {
  evaluateBodyText,
  evaluateFields,
  evaluateJson,
  type NamedValue,
  type SettledBody,
  settleBody,
} from '../request/fields.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { tokenValue } from '../request/page-token.ts'
import { buildRequest, type RequestInput, requestScope } from '../request/request.ts'
import { type RequestContext, Requester } from '../request/requester.ts'
import type { Run } from '../run/run.ts'
import type { Scope, Template, Value } from '../template/template.ts'
import { pythonText } from '../template/text.ts'

export function openBuild(run: Run, { custom }: RequesterPlan): (input: RequestInput) => Promise<HttpRequest> {
  if (custom === undefined) return async (input) => buildRequest(input)
  let loading: Promise<Requester> | null = null
  return async (input) => {
    loading ??= instantiate(custom, Requester, run)
    return buildOwn(custom, await loading, input)
  }
}

async function buildOwn(custom: CustomPlan, own: Requester, input: RequestInput): Promise<HttpRequest> {
  const { slice, token } = input
  const context = { slice, token: token === null ? null : tokenValue(token) }
  const built = buildRequest({ ...input, requester: ownPlan(custom, own, input, context) })
  const request = await awaitCustom(custom, async () => {
    const changedRequest = objectOf(await own.request(context, built), 'a request') as HttpRequest
    objectOf(changedRequest.headers, 'an object as the `headers` of its request')
    if (!isUrl(changedRequest.url)) throw new TypeError('its request has no valid URL')
    return changedRequest
  })
  // Whatever the class made of the address: the credentials belong to the origin in the plan.
  return { ...request, home: built.home ?? built.url }
}

/** The plan with the class's values in place of the manifest's. */
function ownPlan(custom: CustomPlan, own: Requester, input: RequestInput, context: RequestContext): RequesterPlan {
  const { requester, slice } = input
  const scope = requestScope(input)
  const query = valuesOf(evaluateFields(requester.query, scope, 'param'))
  const headers = valuesOf(evaluateFields(requester.headers, scope, 'header'))
  const body = settleBody(requester.body, scope)
  const ask = <T>(answer: () => T): T => runCustom(custom, answer)
  return {
    ...requester,
    // Called for each scope: the address without a token says whose the credentials are.
    base: changed(requester.base, (text, token) =>
      ask(() => givenText(atOnce(own.base({ slice, token }, text)), 'a string as its base')),
    ),
    path: changed(requester.path, (text, token) =>
      ask(() => givenText(atOnce(own.path({ slice, token }, text)), 'a string as its path')),
    ),
    query: given(ask(() => objectOf(atOnce(own.query(context, query)), 'an object as its query'))),
    headers: given(ask(() => objectOf(atOnce(own.headers(context, headers)), 'an object as its headers'))),
    body: bodyAs(
      body,
      ask(() => bodyGiven(atOnce(own.body(context, bodyOf(body, input.at, scope))))),
    ),
  }
}

function valuesOf(fields: readonly NamedValue[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]))
}

function bodyOf(body: SettledBody, at: SourceLocation, scope: Scope): Record<string, unknown> | string | null {
  switch (body.kind) {
    case 'none':
      return null
    case 'json':
      return evaluateJson(body.value, scope, at)
    case 'form':
      return valuesOf(evaluateFields(body.fields, scope, 'param'))
    case 'text':
      return evaluateBodyText(body.value, scope)
  }
}

function bodyGiven(body: unknown): ReturnType<Requester['body']> {
  if (body === null || body === undefined) return null
  return typeof body === 'string' ? body : objectOf(body, 'an object, a string or null as its body')
}

function bodyAs(written: SettledBody, body: ReturnType<Requester['body']>): BodyPlan {
  if (body === null) return { kind: 'none' }
  if (typeof body === 'string') return { kind: 'text', value: given(body) }
  if (written.kind === 'form') return { kind: 'form', fields: given(body) }
  return { kind: 'json', value: { kind: 'literal', value: body } }
}

/** A template whose text passes through a function that may use the token. */
function changed(template: Template | null, change: (text: string, token: unknown) => string): Template {
  return {
    ...constant(template?.source ?? ''),
    names: new Set([...(template?.names ?? []), 'next_page_token']),
    evaluate(scope) {
      const { next_page_token: paging } = scope as { next_page_token: { next_page_token: unknown } | null }
      return change(template === null ? '' : pythonText(template.evaluate(scope)), paging?.next_page_token ?? null)
    },
  }
}

/** A template that gives this value, whatever braces are in it; what is null or undefined is left out. */
function given(value: object | string): Template {
  if (typeof value === 'string') return constant(value)
  const kept = Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
  return constant(Object.fromEntries(kept))
}

function constant(value: Value): Template {
  return {
    source: '',
    isPlain: false,
    names: new Set(),
    evaluate: () => value,
    evaluateOr: () => value,
    render: () => pythonText(value),
    toJSON: () => '',
  }
}
