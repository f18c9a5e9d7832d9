/** Content → the page people see. */
import type { SiteFacts } from '../facts.ts'
import { paper } from '../tokens.ts'
import { openGraph } from '../open-graph.ts'
import { style } from './styles.ts'
import type { Homepage } from './content.ts'
import { escape, inline } from '../markup.ts'
import { waterfall } from './pictures.ts'
import { sections } from './sections.ts'

export function renderHtml(content: Homepage, facts: SiteFacts): string {
  return `<!DOCTYPE html>
<html lang="en">
${head(content, facts)}
<body>
<a class="skip" href="#main">Skip to content</a>
${header(content, facts)}
<main id="main">
${hero(content)}
${sections(content)}
</main>
${footer(content, facts)}
<script>${script}</script>
</body>
</html>
`
}

function head(content: Homepage, { baseUrl, version }: SiteFacts): string {
  const product = {
    '@context': 'https://schema.org',
    '@type': 'SoftwareApplication',
    name: content.name,
    description: content.description,
    url: `${baseUrl}/`,
    softwareVersion: version,
    applicationCategory: 'DeveloperApplication',
    isAccessibleForFree: true,
  }
  const url = escape(baseUrl)
  return `<head>
<meta charset="utf-8">
<title>${escape(`${content.name}: ${content.headline.replace(/\.$/, '')}`)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escape(content.description)}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${paper.light}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${paper.dark}">
<link rel="canonical" href="${url}/">
<link rel="alternate" type="text/markdown" href="${url}/index.md" title="This page as markdown">
<link rel="alternate" type="text/plain" href="${url}/llms.txt" title="Index for language models">
<link rel="api-catalog" type="application/linkset+json" href="${url}/.well-known/api-catalog">
<link rel="service-desc" type="application/json" href="${url}/openapi.json">
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
${openGraph({ title: content.headline, description: content.description, url: `${baseUrl}/` })}
<style>${style}</style>
<script type="application/ld+json">${JSON.stringify(product).replaceAll('<', '\\u003c')}</script>
</head>`
}

function header({ name, methods, loop, manifests, speed, agents }: Homepage, { apiUrl }: SiteFacts): string {
  const places = [
    [methods.id, 'Methods'],
    [loop.id, 'Differences'],
    [manifests.id, 'Manifests'],
    [speed.id, 'Speed'],
    [agents.id, 'Agents'],
  ]
  const links = places.map(([id, label]) => `<li><a href="#${id}">${label}</a></li>`).join('')
  return `<header class="top"><a class="skip" href="/llms.txt">Index for language models: /llms.txt</a><div class="wide">
<a class="brand" href="/" aria-label="${escape(name)}, home">${logo}${escape(name)}</a>
<nav aria-label="On this page"><ul>${links}<li><a href="${escape(apiUrl)}">API</a></li></ul></nav>
<fieldset class="theme"><legend>Colours</legend>${themes.map(theme).join('')}</fieldset>
</div></header>`
}

const themes = [
  ['system', 'As the system', '<path d="M8 2a6 6 0 0 0 0 12z" fill="currentColor"/><circle cx="8" cy="8" r="6"/>'],
  [
    'light',
    'Light',
    '<circle cx="8" cy="8" r="3"/><path d="M8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1"/>',
  ],
  ['dark', 'Dark', '<path d="M13.500 9.500A6 6 0 0 1 6.500 2.500a6 6 0 1 0 7 7z"/>'],
] as const

function theme([id, label, drawing]: (typeof themes)[number]): string {
  return `<label title="${label}"><input type="radio" name="theme" id="theme-${id}" value="${id}"${id === 'system' ? ' checked' : ''}><svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.25" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${drawing}</svg><span class="words">${label}</span></label>`
}

function hero({ headline, summary, commands, commandsNote, read }: Homepage): string {
  const rows = commands.map(({ does, command }) => `<div><dt>${escape(does)}</dt><dd>${copyable(command)}</dd></div>`)
  return `<section class="hero wide" aria-labelledby="headline">
<div class="say"><h1 id="headline">${escape(headline)}</h1>
<p class="summary">${inline(summary)}</p>
<dl class="commands">${rows.join('')}</dl>
<p class="note">${inline(commandsNote)}</p></div>
<figure class="sheets"><figcaption><b>${escape(read.stream)}</b> <span>${escape(read.method)}</span></figcaption>
${waterfall(read)}</figure>
</section>`
}

/** A command with its button. The button shows only where copying works. */
export function copyable(command: string): string {
  return `<code class="command">${escape(command)}</code><button class="copy" type="button" aria-live="polite" hidden>Copy</button>`
}

function footer({ name, free, release, agents }: Homepage, { apiUrl }: SiteFacts): string {
  const links = agents.links
    .filter(({ url, isNoPage }) => url !== apiUrl && isNoPage !== true)
    .map(({ url, label }) => `<li><a href="${escape(url)}">${escape(label)}</a></li>`)
  return `<footer class="bottom"><div class="wide">
<p><strong>${escape(free)}</strong><br>${escape(name)}. ${escape(release)}</p>
<nav aria-label="For programs"><ul>${links.join('')}</ul></nav>
</div></footer>`
}

/** The only script of the page. Without it, one click on a command selects all of it. */
export const script = `if (navigator.clipboard) for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent)
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = 'Copy' }, 1500)
  })
}`

const sheet = 'M5 3h9a7 7 0 0 1 7 7v11h-9a7 7 0 0 1-7-7z'
const vein = 'M9.5 7.500 21 21'

/** For the header, in the colours of the page. */
export const logo = `<svg class="logo" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linejoin="round" aria-hidden="true"><path class="logo-fill" d="${sheet}"/><path d="${vein}" stroke-linecap="round"/></svg>`

/** For `/favicon.svg`: brings its own colours, light and dark. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#1d7a3c" stroke-width="2" stroke-linejoin="round"><style>@media (prefers-color-scheme: dark) { svg { stroke: #74cf8a } }</style><path d="${sheet}"/><path d="${vein}" stroke-linecap="round"/></svg>
`
