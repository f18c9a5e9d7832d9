/** A manifest against a misbehaving API: which faults it survives, reports, or misses. No real API is called. */
import { type LoadedManifest, loadInSteps } from '../../connector/load-manifest.ts'
import { checkConfig } from '../../engine/plan/config.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { aborted } from '../../engine/response/failure.ts'
import { ConnectorError } from '../../std/errors.ts'
import { nearMiss } from '../../std/text/near-miss.ts'
import { faults as allFaults, findFault } from '../faults.ts'
import type { Fault } from '../faults/fault.ts'
import { configsFor } from '../mirror/config.ts'
import { findStreams } from '../mirror/find-streams.ts'
import { openAnsweringServer } from '../mirror/server.ts'
import { chooseStreams, type Skipped, type Survey, type SurveyOptions, type SurveyResult } from './result.ts'
import { surveyStream } from './survey-stream.ts'

/**
 * Reads streams of a manifest from a local API that responds as the manifest expects, with each fault in turn.
 *
 * @example const { results } = await survey(text, { streams: ['orders'], onResult: ({ fault, outcome }) => … })
 */
export async function survey(text: string, options: SurveyOptions = {}): Promise<Survey> {
  const { signal = new AbortController().signal, onResult, onSkipped } = options
  const faults = faultsNamed(options.faults)
  const manifest = await loadInSteps(text, options)
  const results: SurveyResult[] = []
  const skipped: Skipped[] = []
  const skip = (one: Skipped) => {
    skipped.push(one)
    onSkipped?.(one)
  }
  await using server = await openAnsweringServer()
  const found = await findStreams(server, manifest, configFor(manifest, options.config))
  const choice = chooseStreams(manifest, found.streams, options.streams)
  choice.skipped.forEach(skip)
  for (const stream of choice.chosen) {
    for await (const one of surveyStream({ ...found, ...stream, server, text, manifest, faults, signal })) {
      if (signal.aborted) throw aborted(signal)
      if ('why' in one) skip(one)
      else {
        results.push(one)
        onResult?.(one)
      }
    }
  }
  return { results, skipped }
}

function faultsNamed(names: readonly string[] | undefined): readonly Fault[] {
  if (names === undefined) return allFaults
  return [...new Set(names)].map((name) => {
    const fault = findFault(name)
    if (fault !== null) return fault
    const known = allFaults.map((one) => one.name)
    const near = nearMiss(name, known)
    throw new ConnectorError('lab/unknown-fault', `There is no fault "${name}"; there are ${known.join(', ')}.`, {
      hint: near === undefined ? undefined : `Did you mean "${near}"?`,
    })
  })
}

/** Missing values are made up: the mirror does not check them. */
function configFor(manifest: LoadedManifest, given: Config = {}): Config {
  try {
    checkConfig(manifest, given)
    if (Object.keys(given).length > 0) return given
  } catch {
    // What is there counts; the rest is made up.
  }
  return { ...configsFor(manifest)[0], ...given }
}
