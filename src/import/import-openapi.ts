/** For programs: the text or the URL of an OpenAPI description → a manifest and a report. */
import type { Config } from '../engine/plan/plan.ts'
import {
  checkOnly,
  checkValue,
  object,
  signalRule,
  anyText,
  texts,
  oneOrMore,
  yesOrNo,
} from '../engine/run/check-options.ts'
import { chooseImported, type StreamSelection } from './choose-streams.ts'
import { confirmStreams } from './confirm/confirm-streams.ts'
import { connectorOf, type ImportReport, openDescription } from './import-api.ts'
import { descriptionFrom } from './read-description.ts'

export type ImportOptions = StreamSelection & {
  /** With a config, the API is asked how each stream is paginated. */
  readonly config?: Config
  /** Of all streams together, 100 by default. */
  readonly maxRequests?: number
  readonly signal?: AbortSignal
}

/** The connector as text, and what was found. */
export type ImportedApi = { readonly manifest: string; readonly report: ImportReport }

const description = { ...anyText, wants: 'the text of an OpenAPI document, or its URL' }

export async function importOpenApi(source: string, options: ImportOptions = {}): Promise<ImportedApi> {
  checkValue('The description', source, description)
  checkOnly(options, {
    config: object,
    maxRequests: oneOrMore,
    signal: signalRule,
    only: texts,
    except: texts,
    all: yesOrNo,
  })
  const { config, maxRequests = 100, signal = new AbortController().signal, ...selection } = options
  const { text, url } = await descriptionFrom(source, signal)
  const opened = openDescription('openapi', text, url)
  const chosen = chooseImported(opened.streams, selection)
  const proposed = connectorOf(opened, chosen)
  return config === undefined ? proposed : confirmStreams(opened, chosen, proposed, { config, maxRequests, signal })
}
