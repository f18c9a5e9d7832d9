/** What went wrong, where in the manifest, and what to do next. */
import { useRef } from 'react'
import type { ManifestProblem, Place } from '../../../server/wire/problem.ts'
import { follow } from '../../../document/follow.ts'
import { type Path, pathOf } from '../../../document/value-path.ts'
import { Worded } from '../../fields/inline-code.tsx'
import { useKeptFocus } from '../../keys/use-kept-focus.ts'
import { pageLabels, partOf, type PageName } from '../../editor/outline-parts.ts'
import { useStreams } from '../../editor/use-streams.ts'
import { useRoute } from '../../router.ts'
import { useSession } from '../../session/use-session.tsx'
import { formWords, problemWords } from '../../yaml/place-words.ts'
import { showInForm, showInYaml } from '../../yaml/yaml-target.ts'
import type { ReadProblem } from '../read-state.ts'
import './outcome.css'

export type ProblemBoxProps = {
  readonly problem: ReadProblem
  /** Which was read. */
  readonly stream?: string
  readonly onRetry: () => void
  /** Whether diagnosis can say more about a read that went wrong. */
  readonly onFindOut?: () => void
}

export function ProblemBox({ problem, stream, onRetry, onFindOut }: ProblemBoxProps) {
  const { detail, hint, code, at, problems = [], isServerGone } = problem
  const box = useRef<HTMLElement>(null)
  useKeptFocus(box)
  const place = at ?? problems[0]?.at
  const streams = useStreams()
  const { view } = useRoute()
  const words =
    code === undefined || at === undefined
      ? { message: formWords(detail), hint: formWords(hint ?? '') }
      : problemWords({ code, message: detail, hint: hint ?? '', at, severity: 'error' }, streams, view)
  const root = useSession(({ document }) => document.value)
  const field = place === undefined ? null : fieldOfProblem(root, pathOf(place.pointer), problem)
  return (
    <section ref={box} className="problem-box" role="alert" aria-label="What went wrong">
      <p>
        <b>{isServerGone ? 'No response' : 'Failed'}</b> <Worded text={words.message} />
      </p>
      {words.hint !== '' && (
        <p className="hint">
          <Worded text={words.hint} />
        </p>
      )}
      {problems.length > 1 && (
        <ul>
          {problems.map((one) => (
            <OneProblem key={`${one.at.pointer} ${one.message}`} problem={one} />
          ))}
        </ul>
      )}
      <div className="foot">
        {place !== undefined && problems.length < 2 && <PlaceLinks at={place} field={field} />}
        {place === undefined && isOtherFormat(problem) && <FormatLink stream={stream} />}
        {place === undefined && <SettingsLink problem={problem} stream={stream} />}
        {isServerGone && (
          <button type="button" className="button small" onClick={onRetry}>
            Test again
          </button>
        )}
        {onFindOut !== undefined && isReadError(problem) && (
          <button type="button" className="button small" onClick={onFindOut}>
            Find out why
          </button>
        )}
        {code !== undefined && <code>{code}</code>}
      </div>
    </section>
  )
}

const fixedValues = ['request_parameters', 'request_headers', 'request_body_json', 'request_body_data'] as const

/** Which field a problem is about, where the error names only its stream. Of two places that send the same value, the fixed one: it is the one to remove. */
function fieldOfProblem(
  root: unknown,
  streamAt: Path,
  { code, detail }: Pick<ReadProblem, 'code' | 'detail'>,
): Path | null {
  if (code !== 'request/option-collision') return null
  const [, name] = /`([^`]+)`/.exec(detail) ?? []
  if (name === undefined) return null
  const requesterAt = [...streamAt, 'retriever', 'requester']
  const places = fixedValues.flatMap((key) => [
    [...requesterAt, key, name],
    [...requesterAt, key, ...name.split('.')],
  ])
  const found = places.map((path) => follow(root, path)).find(({ value }) => value !== undefined)
  return found?.writtenAt ?? null
}

/** Plan errors explain themselves; for an error of the read, diagnosis can examine its pages. */
function isReadError({ code }: ReadProblem): boolean {
  return code !== undefined && /^(response|records|pagination|request)\//.test(code)
}

/** A response of another format names no place: the decoder is not there yet. */
function isOtherFormat({ hint }: ReadProblem): boolean {
  return /\b(?:Csv|Xml|Gzip|Zipfile)Decoder\b/.test(hint ?? '')
}

function FormatLink({ stream: name }: { stream: string | undefined }) {
  const stream = useStreams().find((one) => one.name === name)
  const root = useSession(({ document }) => document.value)
  if (stream === undefined) return null
  const { writtenAt } = follow(root, [...stream.path, 'retriever', 'decoder', 'type'])
  return (
    <button type="button" className="link" onClick={() => showInForm(writtenAt, stream.name)}>
      Show in the form
    </button>
  )
}

/** To the page of the settings that sends the credentials, or has the address. */
function SettingsLink({ problem, stream: name }: { problem: ReadProblem; stream: string | undefined }) {
  const stream = useStreams().find((one) => one.name === name)
  const root = useSession(({ document }) => document.value)
  const found = pageOfProblem(problem)
  if (stream === undefined || found === null) return null
  const { writtenAt } = follow(root, [...stream.path, 'retriever', 'requester', ...found.member])
  return (
    <button type="button" className="button small" onClick={() => showInForm(writtenAt, partOf(found.page))}>
      Go to {pageLabels[found.page]}
    </button>
  )
}

/** The page, and the member of the requester that it edits. */
type PageOfProblem = { readonly page: PageName; readonly member: readonly string[] }

const authentication: PageOfProblem = { page: 'authentication', member: ['authenticator', 'type'] }
const baseUrl: PageOfProblem = { page: 'base-url', member: ['url_base'] }

/** The settings page that a failed read leads to: of an API that refuses the credentials, or is not there. */
function pageOfProblem({ code, detail }: Pick<ReadProblem, 'code' | 'detail'>): PageOfProblem | null {
  switch (code) {
    case 'response/rejected':
      return /\banswered 40[13]\b/.test(detail) ? authentication : null
    case 'request/token-refused':
      return authentication
    case 'response/unreachable':
      return baseUrl
    default:
      return null
  }
}

function OneProblem({ problem }: { problem: ManifestProblem }) {
  const { message, hint } = problemWords(problem, useStreams(), useRoute().view)
  return (
    <li>
      <Worded text={message} /> <Worded text={hint} /> <PlaceLinks at={problem.at} />
    </li>
  )
}

/** To the field of the stream, and to the line of the text. */
function PlaceLinks({ at: { pointer, line, column = 1 }, field = null }: { at: Place; field?: Path | null }) {
  const path = pathOf(pointer)
  const streams = useStreams()
  const stream = path[0] === 'streams' ? streams[Number(path[1])] : undefined
  return (
    <span className="place-links">
      {stream !== undefined && (
        <button type="button" className="link" onClick={() => showInForm(field ?? path, stream.name)}>
          Show in the form
        </button>
      )}
      <button
        type="button"
        className="link"
        onClick={() => showInYaml(line === undefined ? { path } : { line, column })}
      >
        Show in YAML
      </button>
    </span>
  )
}
