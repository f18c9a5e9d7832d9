/** Content → the page people see. */
import type { SiteFacts } from '../facts.ts'
import { logo } from '../frame/brand.ts'
import { headLines } from '../frame/head.ts'
import { themeSwitch } from '../frame/theme-switch.ts'
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
  return `<head>
${headLines({
  tab: `${content.name}: ${content.headline.replace(/\.$/, '')}`,
  title: content.headline,
  description: content.description,
  url: `${baseUrl}/`,
  baseUrl,
  markdownUrl: `${baseUrl}/index.md`,
})}
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
${themeSwitch}
</div></header>`
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

/** The only script of the page: remembers the switch, as src/site/browser/theme.ts does, and copies commands. */
export const script = `try {
  const button = document.getElementById('theme-' + localStorage.getItem('turnleaf-theme'))
  if (button) button.checked = true
  addEventListener('change', ({ target }) => {
    if (target.name === 'theme') localStorage.setItem('turnleaf-theme', target.value)
  })
} catch {}
if (navigator.clipboard) for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent)
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = 'Copy' }, 1500)
  })
}`
