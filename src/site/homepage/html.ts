/** Content → the page people see. */
import type { SiteFacts } from '../facts.ts'
import { logo } from '../frame/brand.ts'
import { headLines } from '../frame/head.ts'
import { themeSwitch } from '../frame/theme-switch.ts'
import type { Scheme } from '../tokens.ts'
import { style } from './styles.ts'
import type { Homepage } from './content.ts'
import { escape, inline } from '../markup.ts'
import { picture, pictureFile } from './picture.ts'
import { sections } from './sections.ts'

export function renderHtml(content: Homepage, facts: SiteFacts): string {
  return `<!DOCTYPE html>
<html lang="en">
${head(content, facts)}
<body>
<a class="skip" href="#main">Skip to content</a>
${header(content)}
<main id="main">
${hero(content)}
${sections(content)}
</main>
${footer(content)}
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
  image: {
    url: `${baseUrl}/pictures/${pictureFile('light')}`,
    width: picture.width * picture.scale,
    height: picture.height * picture.scale,
    alt: content.builder.alt,
  },
})}
<style>${style}</style>
<script type="application/ld+json">${JSON.stringify(product).replaceAll('<', '\\u003c')}</script>
</head>`
}

function header({ name, receipt, diagnosis, speed, agents, builder }: Homepage): string {
  const places = [
    [`#${receipt.id}`, 'Verdict'],
    [`#${diagnosis.id}`, 'Diagnosis'],
    [`#${speed.id}`, 'Speed'],
    [`#${agents.id}`, 'Agents'],
    ['/docs', 'Docs'],
    [builder.url, 'Builder'],
  ] as const
  const links = places.map(([href, label]) => `<li><a href="${escape(href)}">${label}</a></li>`).join('')
  return `<header class="top"><a class="skip" href="/llms.txt">Index for language models: /llms.txt</a><div class="wide">
<a class="brand" href="/" aria-label="${escape(name)}, home">${logo}${escape(name)}</a>
<nav aria-label="Main"><ul>${links}</ul></nav>
${themeSwitch}
</div></header>`
}

function hero({ headline, summary, builder, commands, commandsNote }: Homepage): string {
  const rows = commands.map(({ does, command }) => `<div><dt>${escape(does)}</dt><dd>${copyable(command)}</dd></div>`)
  return `<section class="hero wide" aria-labelledby="headline">
<div class="say"><h1 id="headline">${escape(headline)}</h1>
<p class="summary">${inline(summary)}</p>
<p class="doors"><a class="door" href="${escape(builder.url)}">${escape(builder.label)}</a> <a href="/docs">Read the docs</a></p></div>
<div><dl class="commands">${rows.join('')}</dl>
<p class="note">${inline(commandsNote)}</p></div>
<div class="shot">${shot('light', builder.alt)}${shot('dark', builder.alt)}</div>
</section>`
}

/** Lazy, so that the browser loads the one it shows; its place is reserved. */
function shot(scheme: Scheme, alt: string): string {
  const { width, height } = picture
  return `<img class="on-${scheme}" src="/pictures/${pictureFile(scheme)}" alt="${escape(alt)}" width="${width}" height="${height}" loading="lazy">`
}

/** A command with its button. The button shows only where copying works. */
function copyable(command: string): string {
  return `<code class="command">${escape(command)}</code><button class="copy" type="button" aria-live="polite" hidden>Copy</button>`
}

function footer({ name, free, release, agents }: Homepage): string {
  const links = agents.links
    .filter(({ isNoPage }) => isNoPage !== true)
    .map(({ url, label }) => `<li><a href="${escape(url)}">${escape(label)}</a></li>`)
  return `<footer class="bottom"><div class="wide">
<p><strong>${escape(free)}</strong><br>${escape(name)}. ${escape(release)}</p>
<nav aria-label="For programs"><ul>${links.join('')}</ul></nav>
</div></footer>`
}

/** The only script of the page: remembers the switch, as src/site/browser/theme.ts does, and copies commands. */
const script = `try {
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
