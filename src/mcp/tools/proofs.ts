/** Detection, diagnosis, fixes, survey and check. */
import { z } from 'zod'
import { loadManifest } from '../../connector/load-manifest.ts'
import { normalizeConfig } from '../../engine/config/normalize-config.ts'
import { openNetwork } from '../../engine/response/send.ts'
import { applyEdits } from '../../proof/diagnosis/apply-edits.ts'
import { checkConnection } from '../../protocol/check.ts'
import { customToolsOf } from '../../read.ts'
import { withoutRetries } from '../../server/manifest-server/operations.ts'
import { detecting } from '../../server/proofs/detection.ts'
import { diagnosing } from '../../server/proofs/diagnosis.ts'
import { surveying, type SurveyEvent } from '../../server/proofs/survey.ts'
import { problemOf } from '../../server/responses.ts'
import { ConnectorError } from '../../std/errors.ts'
import { count } from '../../std/text/format-count.ts'
import { markReferences, refuseLiteralSecrets } from '../secrets.ts'
import { tool } from '../tool.ts'
import { saveManifest } from './connectors.ts'
import {
  beginWork,
  configFor,
  configInput,
  followWork,
  failureOf,
  failureOutput,
  fromApi,
  fromApiRule,
  manifestGiven,
  problemOutput,
  sourceInput,
  streamInput,
} from './source.ts'

const int = z.number().int()

export const detectApiTool = tool({
  name: 'detect_api',
  title: 'Detect an API',
  description: `Sends at most twelve requests to a URL and reports where its records are, how it paginates, and a manifest for it, to be saved with create_connector. ${fromApiRule}`,
  isReadOnly: true,
  isOpenWorld: true,
  input: z.object({
    url: z.string().max(8000),
    method: z.enum(['GET', 'POST']).optional(),
    headers: z.record(z.string(), z.string()).optional().describe('Secrets as references: "Bearer ${SHOP_TOKEN}".'),
    json: z.unknown().optional().describe('A JSON body.'),
    form: z.record(z.string(), z.string()).optional(),
  }),
  output: z.object({
    answer: z.enum(['paginated', 'not-paginated', 'cannot-tell']).nullable(),
    method: z.string().nullable().describe('Of the best candidate.'),
    confidence: z.string().nullable(),
    requests: int.describe('How many were sent.'),
    fromApi: fromApi({
      says: z.string(),
      recordPath: z.array(z.string()).nullable(),
      candidates: z
        .array(
          z.object({ method: z.string(), confidence: z.string(), says: z.string(), evidence: z.array(z.string()) }),
        )
        .describe('The best three.'),
      manifest: z.string().nullable().describe('The best candidate as a manifest.'),
    }),
    problem: failureOutput,
  }),
  async run(given, context, call) {
    const { url, headers = {}, form = {} } = given
    const query = URL.canParse(url) ? Object.fromEntries(new URL(url).searchParams) : {}
    const marked = markReferences(given, context.secrets)
    const named = { ...query, ...headers, ...form, json: given.json }
    refuseLiteralSecrets(markReferences(named, context.secrets), null, context.secrets)
    const end = await followWork(detecting(marked, beginWork(context, null)), call, (event) => {
      if (event.kind === 'probe') call.report('request sent')
    })
    const { answer, says, recordPath, candidates, manifest, probes } = end?.detection ?? noDetection
    const { method = null, confidence = null } = candidates[0] ?? {}
    return {
      says: `Answer: ${answer ?? 'none'}${method === null ? '' : `, ${method}, ${confidence}`}.`,
      value: {
        answer,
        method,
        confidence,
        requests: probes.length,
        fromApi: {
          says,
          recordPath: recordPath as string[] | null,
          candidates: candidates.slice(0, 3).map((one) => ({
            method: one.method,
            confidence: one.confidence,
            says: one.says,
            evidence: one.evidence.slice(0, 5).map((text) => text.slice(0, 500)),
          })),
          manifest,
        },
        problem: failureOf(end?.problem ?? null),
      },
    }
  },
})

const noDetection = { answer: null, says: '', recordPath: null, candidates: [], manifest: null, probes: [] } as const

const edits = z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), value: z.unknown().optional() }))

export const diagnoseStreamTool = tool({
  name: 'diagnose_stream',
  title: 'Diagnose a stream',
  description: `Reads a stream, finds out why records are missing, duplicated or never end, and proposes fixes that it has tried. Of a saved connector a fix is applied with apply_fix. ${fromApiRule}`,
  isReadOnly: true,
  isOpenWorld: true,
  input: z.object({
    ...sourceInput,
    stream: streamInput,
    config: configInput,
    maxPages: z.number().int().min(1).max(100).default(20),
  }),
  output: z.object({
    diagnosis: z.string().nullable().describe('Names it for apply_fix; null for a manifest that is not saved.'),
    verdict: z.string().nullable().describe('Of the read.'),
    reason: z.string().nullable(),
    findings: z.array(
      z.object({
        finding: int.describe('Its number, for apply_fix.'),
        code: z.string(),
        title: z.string(),
        fault: z.enum(['manifest', 'api']),
        advice: z.string(),
        fix: z
          .object({ edits, isFixed: z.boolean().nullable().describe('Whether a read with the fix confirmed it.') })
          .nullable(),
        fromApi: fromApi({
          says: z.string(),
          evidence: z.array(z.string()),
          fixSays: z.string().nullable(),
          retestSays: z.string().nullable(),
        }),
      }),
    ),
    problem: failureOutput,
  }),
  async run({ stream, config, maxPages, ...given }, context, call) {
    const { text, folder, version } = await manifestGiven(given, context)
    const marked = configFor(config, text, context)
    const work = diagnosing({ text, stream, config: marked, maxPages }, beginWork(context, folder))
    const end = await followWork(work, call, (event) => {
      if (event.kind === 'page') call.report(`page ${event.page}: ${count(event.received, 'record')}`)
    })
    const { diagnosis = null, problem = null } = end ?? {}
    const findings = diagnosis?.findings ?? []
    const { connector } = given
    const id =
      connector === undefined || version === null || diagnosis === null
        ? null
        : context.diagnoses.keep({ connector, version, findings })
    const shown = findings.map(({ code, title, fault, advice, fix, says, evidence }, finding) => ({
      finding,
      code,
      title,
      fault,
      advice,
      fix: fix === null ? null : { edits: copied(fix.edits), isFixed: fix.retest?.isFixed ?? null },
      fromApi: {
        says,
        evidence: evidence.slice(0, 10).map((one) => one.says.slice(0, 500)),
        fixSays: fix?.says ?? null,
        retestSays: fix?.retest?.says ?? null,
      },
    }))
    const withFix = shown.filter(({ fix }) => fix !== null).length
    return {
      says: `Verdict: ${diagnosis?.proof?.verdict ?? 'none'}. ${count(shown.length, 'finding')}, ${withFix} with a fix.`,
      value: {
        diagnosis: id,
        verdict: diagnosis?.proof?.verdict ?? null,
        reason: diagnosis?.proof?.reason ?? null,
        findings: shown,
        problem: failureOf(problem ?? diagnosis?.error ?? null),
      },
    }
  },
})

function copied(given: readonly { readonly path: readonly (string | number)[]; readonly value?: unknown }[]) {
  return given.map(({ path, ...rest }) => ({ path: [...path], ...rest }))
}

export const applyFixTool = tool({
  name: 'apply_fix',
  title: 'Apply a fix',
  description:
    'Saves the fix of a finding of diagnose_stream. Only where the connector has not changed since the diagnosis; every other line is kept, and so is the earlier version.',
  isReadOnly: false,
  isDestructive: true,
  input: z.object({ diagnosis: z.string(), finding: z.number().int().min(0) }),
  output: z.object({
    connector: z.string(),
    version: z.string(),
    errors: int,
    warnings: int,
    problems: z.array(problemOutput),
  }),
  async run({ diagnosis, finding }, context, call) {
    const { connector, version: basedOn, findings } = context.diagnoses.find(diagnosis)
    const fix = findings[finding]?.fix
    if (fix === undefined || fix === null) {
      throw new ConnectorError('mcp/no-fix', `Finding ${finding} ${fix === null ? 'has no fix' : 'does not exist'}.`)
    }
    const { text } = await context.workspace.connectors.open(connector)
    const { says, value } = await saveManifest({ connector, basedOn, text: applyEdits(text, fix.edits) }, context, call)
    const { version, errors, warnings, problems } = value
    return { says, value: { connector, version, errors, warnings, problems } }
  },
})

export const surveyStreamTool = tool({
  name: 'survey_stream',
  title: 'Survey a stream',
  description:
    'Reads a stream from a local API that behaves as the manifest expects, with one fault at a time, and reports which faults it survives, reports or misses. No other API is contacted.',
  isReadOnly: true,
  input: z.object({ ...sourceInput, stream: streamInput, config: configInput }),
  output: z.object({
    survives: int,
    reports: int,
    misses: int,
    doesNotApply: int,
    results: z
      .array(z.object({ fault: z.string(), does: z.string(), outcome: z.string(), says: z.string() }))
      .describe('Misses first; the first 30.'),
    skipped: z.array(z.object({ stream: z.string(), why: z.string() })),
    problem: failureOutput,
  }),
  async run({ stream, config, ...given }, context, call) {
    const { text, folder } = await manifestGiven(given, context)
    const marked = configFor(config, text, context)
    const results: Extract<SurveyEvent, { kind: 'result' }>['result'][] = []
    const end = await followWork(
      surveying({ text, stream, config: marked }, beginWork(context, folder)),
      call,
      (event) => {
        if (event.kind === 'result') {
          results.push(event.result)
          call.report(`${event.result.fault}: ${event.result.outcome}`)
        }
      },
    )
    const { skipped = [], problem = null } = end ?? {}
    const of = (outcome: string) => results.filter((one) => one.outcome === outcome)
    const order = ['misses', 'reports', 'survives', 'does not apply'].flatMap(of)
    return {
      says: `Of ${count(results.length, 'fault')}: ${of('survives').length} survived, ${of('reports').length} reported, ${of('misses').length} missed.`,
      value: {
        survives: of('survives').length,
        reports: of('reports').length,
        misses: of('misses').length,
        doesNotApply: of('does not apply').length,
        results: order.slice(0, 30).map(({ fault, does, outcome, says }) => ({ fault, does, outcome, says })),
        skipped: skipped.map(({ stream: name, why }) => ({ stream: name, why })),
        problem: failureOf(problem),
      },
    }
  },
})

export const checkApiTool = tool({
  name: 'check_connection',
  title: 'Check a connection',
  description: `Checks that the config can connect: requests one page of the streams that the manifest names for it. ${fromApiRule}`,
  isReadOnly: true,
  isOpenWorld: true,
  input: z.object({ ...sourceInput, config: configInput }),
  output: z.object({ isConnected: z.boolean(), problem: failureOutput }),
  async run({ config, ...given }, context, { signal }) {
    const { text, folder } = await manifestGiven(given, context)
    const marked = configFor(config, text, context)
    const { onEnd, egress, wrapNetwork } = beginWork(context, folder)
    const network = wrapNetwork(openNetwork({ egress }))
    try {
      const manifest = loadManifest(text, folder === null ? {} : { folder })
      const normalized = await normalizeConfig(manifest, marked, customToolsOf(manifest))
      const { failure } = await checkConnection(manifest, normalized.config, { ...withoutRetries, network, signal })
      const isConnected = failure === null
      return {
        says: isConnected ? 'The config can connect.' : 'The config cannot connect.',
        value: { isConnected, problem: failureOf(failure === null ? null : problemOf(failure)) },
      }
    } finally {
      await network.close()
      onEnd()
    }
  },
})
