/** A manifest as text → what a list of connectors shows of it. */
import { isUrl } from '../../is-url.ts'
import { ConnectorError } from '../../errors.ts'
import { checkManifest } from '../../engine/manifest/check.ts'
import { parseText } from '../../engine/manifest/parse.ts'
import { evaluateTemplate } from '../../engine/template/evaluate-template.ts'
import { followPath } from '../../follow-path.ts'
import { isList, isObject } from '../../members.ts'
import type { ConnectorSummary } from '../wire/connector.ts'

export type Gist = Pick<ConnectorSummary, 'baseUrl' | 'streams' | 'errors'>

export function gistOf(text: string): Gist {
  const { manifest, problems } = checkManifest(text)
  const errors = problems.filter(({ severity }) => severity === 'error').length
  // Half-done work has names too.
  const root = manifest?.root ?? readable(text)
  return { baseUrl: baseUrlOf(root), streams: textsIn(followPath(root, ['streams', '*', 'name'])), errors }
}

function readable(text: string): unknown {
  try {
    return parseText(text).value
  } catch (error) {
    if (error instanceof ConnectorError || error instanceof RangeError) return null
    throw error
  }
}

function textsIn(value: unknown): string[] {
  return isList(value) ? value.filter((one) => typeof one === 'string') : []
}

/** As it is with the inputs that the manifest itself proposes. */
function baseUrlOf(root: unknown): string | null {
  const requester = followPath(root, ['streams', '0', 'retriever', 'requester'])
  const written = followPath(requester, ['url_base']) ?? followPath(requester, ['url'])
  if (typeof written !== 'string') return null
  try {
    const url = evaluateTemplate(written, { config: proposedConfig(root), parameters: {} })
    return typeof url === 'string' && /^https?:\/\/[^/]/i.test(url) && isUrl(url) ? url : null
  } catch (error) {
    if (error instanceof ConnectorError) return null
    throw error
  }
}

function proposedConfig(root: unknown): Record<string, unknown> {
  const inputs = followPath(root, ['spec', 'connection_specification', 'properties'])
  if (!isObject(inputs)) return {}
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([name, input]) =>
      isObject(input) && input.default !== undefined ? [[name, input.default]] : [],
    ),
  )
}
