/** A stream of a manifest → its first three requests, built by the engine, with nothing asked of anybody. */
import { normalizeConfig } from '../../engine/config/normalize-config.ts'
import type { Component, Manifest } from '../../engine/manifest/manifest.ts'
import { requestInputs } from '../../engine/opening/request-input.ts'
import { requestedSize } from '../../engine/pagination/next-page.ts'
import { connectionSpecification } from '../../engine/plan/config.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { type StreamPlan, planComponent } from '../../engine/plan/stream.ts'
import { secretsOf } from '../../engine/secrets/find-secrets.ts'
import { buildRequest, type RequestInput } from '../../engine/request/request.ts'
import { createRedactor } from '../../engine/secrets/redact.ts'
import { delegateOf } from '../../engine/streams/delegate.ts'
import { ConnectorError } from '../../std/errors.ts'
import type { Preview, PreviewedRequest } from '../wire/inspection.ts'
import { pagingMarks } from './paging-marks.ts'
import { openPlaceholders, type Placeholders } from './placeholders.ts'
import { hideSecrets } from '../templates/hide-secrets.ts'
import { previewConfig, withAddresses } from './preview-config.ts'
import { previewSlice } from './preview-slice.ts'
import { fullPage, previewTokens } from './preview-tokens.ts'
import { sayStops, sayWhen } from './preview-words.ts'
import { showPreviewed } from './show-previewed.ts'

/** Never throws: what cannot be previewed is told. */
export async function previewOf(
  manifest: Manifest,
  name: string,
  component: Component,
  given: Config,
): Promise<Preview> {
  const placeholders = openPlaceholders()
  // Declared secrets become placeholders anyway; what is one by its name or its use must not reach a template either.
  const open = hideSecrets(given, manifest, placeholders.secret())
  const config = previewConfig(connectionSpecification(manifest), open, component, placeholders)
  const preview = await previewWith(manifest, name, component, { config, placeholders })
  const addressed = preview.isNowhere ? withAddresses(config, placeholders) : null
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
    // Rules of the spec that need a class, or a value that is not there yet.
    return config
  }
}

/** One by one, so that those before a trouble are seen. */
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

/** What the requests do not show. */
function decidedElsewhere({ retriever, job, requester }: StreamPlan): string | null {
  if (retriever !== null) return `The class ${retriever.className} decides what is asked.`
  if (job !== null) return 'The API prepares the records first: its job is watched, and its downloads are the pages.'
  if (requester.custom !== undefined) return `The class ${requester.custom.className} may change these requests.`
  return null
}
