/** A page of the docs → HTML: menu, article, headings, previous and next. */
import type { SiteFacts } from '../facts.ts'
import { logo } from '../frame/brand.ts'
import { headLines } from '../frame/head.ts'
import { themeSwitch } from '../frame/theme-switch.ts'
import { escape } from '../markup.ts'
import { type DocHeading, renderArticle } from './doc-html.ts'
import type { DocPage, DocSet } from './doc-set.ts'

export function renderDocPage(page: DocPage, docs: DocSet, facts: SiteFacts): string {
  const { baseUrl } = facts
  const { html, headings } = renderArticle(page, docs)
  return `<!DOCTYPE html>
<html lang="en">
<head>
${headLines({
  tab: page.url === '/docs' ? 'Turnleaf documentation' : `${page.title} · Turnleaf`,
  title: page.title,
  description: page.description,
  url: baseUrl + page.url,
  baseUrl,
  markdownUrl: baseUrl + page.markdownUrl,
})}
<link rel="stylesheet" href="/site/docs.css">
<script type="module" src="/site/page.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top"><a class="skip" href="/llms.txt">Index for language models: /llms.txt</a><div class="wide">
<a class="brand" href="/" aria-label="Turnleaf, home">${logo}Turnleaf</a> <a class="brand" href="/docs"><span>Docs</span></a>
${searchBox}
${themeSwitch}<script src="/site/theme.js"></script>
</div></header>
<div class="docs wide">
${menu(page, docs)}
<main id="main">
<p class="jump"><a href="#pages">All pages</a></p>
<article>
${html}</article>
${turn(page, docs)}
</main>
${here(headings)}
</div>
${footer(page, facts)}
</body>
</html>
`
}

/** Hidden until the script runs: without it, search cannot work. */
const searchBox = `<div class="search" role="search" hidden><input id="search" type="search" placeholder="Search the docs (press /)" aria-label="Search the docs" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">
<ul id="found" role="listbox" aria-label="Results" hidden></ul><div role="status"></div></div>`

function menu(page: DocPage, { sections }: DocSet): string {
  const entry = ({ title, url }: { title: string; url: string }) =>
    `<li><a href="${escape(url)}"${url === page.url ? ' aria-current="page"' : ''}>${escape(title)}</a></li>`
  const lists = sections.map(({ title, entries }) => `<h2>${escape(title)}</h2><ul>${entries.map(entry).join('')}</ul>`)
  return `<nav class="menu" id="pages" aria-label="Documentation">${lists.join('')}</nav>`
}

function here(headings: readonly DocHeading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < 2) return ''
  const few = shown.length <= 40 ? shown : shown.filter(({ level }) => level === 2)
  const links = few.map(
    ({ level, id, title }) => `<li${level === 3 ? ' class="deep"' : ''}><a href="#${id}">${escape(title)}</a></li>`,
  )
  return `<nav class="here" aria-label="On this page"><h2>On this page</h2><ul>${links.join('')}</ul></nav>`
}

function turn(page: DocPage, { pages }: DocSet): string {
  const at = pages.indexOf(page)
  const link = (other: DocPage | undefined, rel: 'prev' | 'next') =>
    other === undefined
      ? ''
      : `<a class="${rel}" rel="${rel}" href="${escape(other.url)}"><small>${rel === 'prev' ? 'Previous' : 'Next'}</small>${escape(other.title)}</a>`
  return `<nav class="turn" aria-label="Previous and next page">${link(pages[at - 1], 'prev')}${link(pages[at + 1], 'next')}</nav>`
}

function footer({ markdownUrl, changedOn }: DocPage, { version }: SiteFacts): string {
  return `<footer class="bottom"><div class="wide"><p>Turnleaf ${escape(version)}, MIT license. Last changed on <time datetime="${changedOn}">${changedOn}</time>.</p>
<ul><li><a href="${escape(markdownUrl)}">This page as markdown</a></li><li><a href="/llms-full.txt">All pages as one text</a></li></ul></div></footer>`
}
