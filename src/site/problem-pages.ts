/** 404, 405 and 406 → HTML, markdown or problem details, as the client prefers. */
import { favicon } from './frame/brand.ts'
import { escape } from './markup.ts'
import { inlineSources, securityFields } from './headers.ts'
import { negotiateProblem, type ProblemFace } from './negotiate.ts'
import { siteProblem, type ProblemStatus } from './problem.ts'
import { reasonPhrases } from '../std/text/reason-phrases.ts'
import { answer, type Representation, type SiteHeaders, uncached } from './response.ts'
import { tokens } from './tokens.ts'

type Refusal = {
  readonly status: ProblemStatus
  readonly detail: string
  readonly more?: object
  readonly fields?: SiteHeaders
}

type ShownProblem = {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly hint?: string | undefined
}

type Faces = (accept: string | undefined) => Representation

export function notFoundFaces(baseUrl: string): Faces {
  return facesOf(
    { status: 404, detail: `There is nothing at this address. ${baseUrl}/llms.txt lists what there is.` },
    baseUrl,
  )
}

export function refusedFaces(baseUrl: string): Faces {
  const detail = 'This page is text/html or text/markdown, and the Accept header allows neither.'
  return facesOf({ status: 406, detail, more: { available: ['text/html', 'text/markdown'] } }, baseUrl)
}

export function wrongMethodFaces(baseUrl: string, allow: string): Faces {
  return facesOf({ status: 405, detail: `This resource answers to ${allow}.`, fields: { Allow: allow } }, baseUrl)
}

function facesOf({ status, detail, more = {}, fields: others = {} }: Refusal, baseUrl: string): Faces {
  const fields = { ...others, Vary: 'Accept' }
  const page = problemPage({ status, title: reasonPhrases[status], detail }, baseUrl)
  const sent = (type: string, body: string, added = {}) =>
    uncached(answer(status, { 'Content-Type': type, 'Cache-Control': 'no-store', ...fields, ...added }, body))
  const faces: Record<ProblemFace, Representation> = {
    json: uncached(siteProblem(status, detail, fields, more)),
    html: sent('text/html; charset=utf-8', page, securityFields(inlineSources(page), baseUrl)),
    markdown: sent('text/markdown; charset=utf-8', markdownOf({ status, detail }, baseUrl)),
  }
  return (accept) => faces[negotiateProblem(accept)]
}

const places = [
  ['/', 'Homepage'],
  ['/docs', 'Documentation'],
  ['/llms.txt', 'Index for language models'],
] as const

function markdownOf({ status, detail }: Refusal, baseUrl: string): string {
  const links = places.map(([path, name]) => `- [${name}](${baseUrl}${path})`)
  return `# ${status} ${reasonPhrases[status]}\n\n${detail}\n\n${links.join('\n')}\n`
}

const style = `${tokens}
* { box-sizing: border-box; margin: 0 }
body { min-height: 100vh; display: grid; place-content: center; padding: 24px; background: var(--paper); color: var(--ink); font: 16px/1.5 var(--sans) }
h1 { font-size: 28px; line-height: 1.2; letter-spacing: -.02em }
p { margin: 12px 0 24px; max-width: 36em; color: var(--soft); overflow-wrap: anywhere }
ul { display: flex; flex-wrap: wrap; gap: 8px 24px; padding: 0; list-style: none }
a { color: var(--leaf); text-underline-offset: 3px }
:focus-visible { outline: 2px solid var(--leaf); outline-offset: 2px }`

/** A page for people, with links to the site. */
export function problemPage({ status, title, detail, hint }: ShownProblem, baseUrl: string): string {
  const heading = `${status} ${escape(title)}`
  const links = places.map(([path, name]) => `<li><a href="${escape(baseUrl)}${path}">${name}</a></li>`)
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${heading} · Turnleaf</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${encodeURIComponent(favicon)}">
<style>${style}</style>
</head>
<body>
<main>
<h1>${heading}</h1>
<p>${escape(detail)}${hint === undefined ? '' : `<br>${escape(hint)}`}</p>
<ul>${links.join('')}</ul>
</main>
</body>
</html>
`
}
