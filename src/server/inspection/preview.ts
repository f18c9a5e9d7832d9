/** A stream of a manifest → its first three requests, built by the engine and not sent. */
import { normalizeConfig } from '../../engine/config/normalize-config.ts'
import type { Component, Manifest } from '../../engine/manifest/manifest.ts'
import { requestInputs } from '../../engine/opening/request-input.ts'
import { requestedSize } from '../../engine/pagination/next-page.ts'
import { connectionSpecification } from '../../engine/plan/config.ts'
import type { Config, Placement } from '../../engine/plan/plan.ts'
import type { FieldsPlan, RequesterPlan } from '../../engine/plan/requester.ts'
import { type StreamPlan, planComponent } from '../../engine/plan/stream.ts'
import { secretsOf } from '../../engine/secrets/find-secrets.ts'
import { buildRequest, type RequestInput, requestScope } from '../../engine/request/request.ts'
import { createRedactor } from '../../engine/secrets/redact.ts'
import { delegateOf } from '../../engine/streams/delegate.ts'
import { ConnectorError } from '../../std/errors.ts'
import type { PagingMark, Preview, PreviewedRequest } from '../wire/inspection.ts'
import { openPlaceholders, type Placeholders, previewConfig, withUrlPlaceholders } from './preview-config.ts'
import { hidden, hideSecrets } from '../templates/hide-secrets.ts'
import { previewSlice } from './preview-slice.ts'
import { fullPage, previewTokens, sayStops, sayWhen } from './preview-pagination.ts'
import { type AuthPlan, credentialPlacement } from '../../engine/auth/plan/authenticator.ts'
import { credentialMark, type HttpRequest, withHeader } from '../../engine/request/http-request.ts'
import type { ShownRequest } from '../wire/exchange.ts'
import type { PaginationPlan } from '../../engine/plan/pagination.ts'
import { evaluateFields } from '../../engine/request/fields.ts'
import { pagedValues } from '../../engine/request/placement.ts'
import type { Scope } from '../../engine/template/template.ts'
import { pythonText } from '../../engine/template/text.ts'

/** Never throws: `trouble` reports what cannot be previewed. */
export async function previewOf(
  manifest: Manifest,
  name: string,
  component: Component,
  given: Config,
): Promise<Preview> {
  const placeholders = openPlaceholders()
  // Declared secrets become placeholders anyway; values that are secret by name or use must not reach a template either.
  const open = hideSecrets(given, manifest, placeholders.secret())
  const config = previewConfig(connectionSpecification(manifest), open, component, placeholders)
  const preview = await previewWith(manifest, name, component, { config, placeholders })
  const addressed = preview.isNowhere ? withUrlPlaceholders(config, placeholders) : null
  const { isNowhere: _said, ...shown } =
    addressed === null ? preview : await previewWith(manifest, name, component, { config: addressed, placeholders })
  return createRedactor(secretsOf(manifest, given)).value(shown) as Preview
}

type Given = { readonly config: Config; readonly placeholders: Placeholders }

/** `isNowhere`: the address of the API is not known yet. */
async function previewWith(
  manifest: Manifest,
  name: string,
  component: Component,
  { config: known, placeholders }: Given,
): Promise<Preview & { readonly isNowhere: boolean }> {
  const preview = { stream: name, requests: [] as PreviewedRequest[], stops: '', isNowhere: false }
  try {
    const config = await normalized(manifest, known)
    const { stream } = delegateOf({ manifest, config }, component, undefined, Date.now())
    const plan = planComponent({ manifest, config }, stream)
    preview.stops = sayStops(plan.pagination, fullPage(plan.pagination, config))
    await addRequests(preview.requests, plan, config, placeholders)
    return { ...preview, trouble: decidedElsewhere(plan) }
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    const isNowhere = error.code === 'request/invalid-url'
    return { ...preview, isNowhere, trouble: placeholders.reveal(error.message) }
  }
}

async function normalized(manifest: Manifest, config: Config): Promise<Config> {
  try {
    return (await normalizeConfig(manifest, config, {})).config
  } catch {
    // Rules of the spec that need a custom class, or a value that is missing.
    return config
  }
}

/** One by one, so that the requests before an error are shown. */
async function addRequests(
  requests: PreviewedRequest[],
  plan: StreamPlan,
  config: Config,
  placeholders: Placeholders,
): Promise<void> {
  if (plan.retriever !== null) return
  const { pagination, properties } = plan
  const slice = await previewSlice(plan, config, placeholders, Date.now)
  if (plan.job !== null) {
    const input: RequestInput = {
      requester: plan.job.create,
      at: plan.at,
      config,
      slice,
      token: null,
      placed: [],
      trustedOrigins: [],
    }
    requests.push({
      ...showPreviewed(buildRequest(input), plan.job.create.auth, placeholders),
      marks: [],
      when: 'first',
    })
    return
  }
  const pageSize = requestedSize(pagination, null)
  const inputOf = requestInputs({ plan, config, pageSize, trustedOrigins: [] })
  const asked = properties === null ? undefined : propertiesOf(properties, placeholders)
  const when = sayWhen(pagination, fullPage(pagination, config))
  const { origin } = new URL(buildRequest(inputOf(slice, null, asked)).url)
  for (const [index, { token }] of previewTokens(pagination, config, origin, placeholders).entries()) {
    const input = inputOf(slice, token, asked)
    const shown = showPreviewed(buildRequest(input), plan.requester.auth, placeholders, token?.url)
    const marks = pagingMarks(pagination, input, pageSize).map((mark) => ({
      ...mark,
      name: placeholders.reveal(mark.name),
      value: placeholders.reveal(mark.value),
    }))
    requests.push({ ...shown, marks, when: index === 0 ? 'first' : when })
  }
}

function propertiesOf({ source, always }: NonNullable<StreamPlan['properties']>, { named }: Placeholders): string[] {
  return [...always, ...('retriever' in source ? [named('properties')] : source)]
}

/** What else determines the requests. */
function decidedElsewhere({ retriever, job, requester }: StreamPlan): string | null {
  if (retriever !== null) return `The class ${retriever.className} makes the requests.`
  if (job !== null) return 'The API prepares the records in a job first; its downloads are the pages.'
  if (requester.custom !== undefined) return `The class ${requester.custom.className} may change these requests.`
  return null
}

/** @param link the URL of the next page, where the token is one. */
function showPreviewed(request: HttpRequest, auth: AuthPlan, { reveal }: Placeholders, link?: string): ShownRequest {
  const { method, url, headers, body } = withCredentialShown(request, auth)
  const names = Object.entries(headers).map(([name, value]) => [name, reveal(value)])
  return {
    method,
    // A link has its own parameters.
    url: link === undefined ? reveal(url) : reveal(link.slice(new URL(link).origin.length + 1)),
    headers: Object.fromEntries(names) as Record<string, string>,
    body: body === null ? null : reveal(body),
  }
}

function withCredentialShown(request: HttpRequest, auth: AuthPlan): HttpRequest {
  const placement = credentialPlacement(auth)
  switch (placement?.into) {
    case 'header':
      return withHeader(request, placement.name, `${schemes[auth.kind] ?? ''}${hidden}`)
    case 'query':
      return { ...request, url: request.url.replaceAll(credentialMark, hidden) }
    case 'form':
    case 'json':
      return { ...request, body: request.body?.replaceAll(credentialMark, hidden) ?? null }
    default:
      return request
  }
}

const schemes: Partial<Record<AuthPlan['kind'], string>> = { bearer: 'Bearer ', basic: 'Basic ', oauth: 'Bearer ' }

function pagingMarks(pagination: PaginationPlan, input: RequestInput, pageSize: number | string | null): PagingMark[] {
  const { token, requester } = input
  // A link replaces the whole URL, parameters included.
  if (token?.url !== undefined) return [{ what: 'page-token', place: 'path', name: '', value: pythonText(token.value) }]
  const placed = pagedValues(pagination, token, pageSize).map(
    ({ source, placement, value }): PagingMark => ({
      what: source === 'page_size_option' ? 'page-size' : 'page-token',
      ...placeOf(placement),
      value: pythonText(value),
    }),
  )
  return [...placed, ...markedTemplates(requester, requestScope(input))]
}

function placeOf(placement: Placement): Pick<PagingMark, 'place' | 'name'> {
  switch (placement.into) {
    case 'query':
    case 'header':
      return { place: placement.into, name: placement.name }
    case 'form':
      return { place: 'body', name: placement.name }
    case 'json':
      return { place: 'body', name: placement.path.join('.') }
    case 'path':
      return { place: 'path', name: '' }
  }
}

/** Templates of the manifest that use the token: with a prefix, several values in one, a part of the path. */
function markedTemplates({ query, headers, body, path }: RequesterPlan, scope: Scope): PagingMark[] {
  const isRead = path?.names.has('next_page_token') === true
  return [
    ...markedFields(query, scope, 'query'),
    ...markedFields(headers, scope, 'header'),
    ...(body.kind === 'form' ? markedFields(body.fields, scope, 'body') : []),
    ...(isRead
      ? [{ what: 'page-token', place: 'path', name: 'path', value: pythonText(path.evaluate(scope)) } as const]
      : []),
  ]
}

function markedFields(fields: FieldsPlan | null, scope: Scope, place: PagingMark['place']): PagingMark[] {
  if (fields === null || 'evaluate' in fields) return []
  const reading = fields.filter(({ value }) => value.names.has('next_page_token'))
  const values = evaluateFields(reading, scope, place === 'header' ? 'header' : 'param')
  return values.map(({ name, value }) => ({ what: 'page-token', place, name, value: pythonText(value) }))
}
