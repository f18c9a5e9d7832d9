/** The markdown of a page → its HTML, and its headings. Raw HTML in it is shown, never run. */
import { Marked, type Tokens } from 'marked'
import { escape } from '../markup.ts'
import { targetOf } from './doc-links.ts'
import { type DocPage, type DocSet, plain } from './doc-set.ts'
import { slugs } from './slug.ts'

export type DocHeading = { readonly level: number; readonly id: string; readonly title: string }

export type DocArticle = { readonly html: string; readonly headings: readonly DocHeading[] }

export function renderArticle(page: DocPage, docs: DocSet): DocArticle {
  const headings: DocHeading[] = []
  const slugOf = slugs()
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const id = slugOf(text)
        headings.push({ level: depth, id, title: plain(text) })
        const inner = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1 id="${id}">${inner}</h1>\n`
        return `<h${depth} id="${id}">${inner} <a class="anchor" href="#${id}" aria-label="Link to “${escape(plain(text))}”"></a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const target = targetOf(href, page, docs)
        if (target === null) return inner
        const to = target.kind === 'other' ? target.href : target.page.url + target.anchor
        return `<a href="${escape(to)}">${inner}</a>`
      },
      // The policy of the page loads no picture from elsewhere, and the docs have none of their own.
      image: ({ text }) => escape(text),
      code: ({ text, lang }) => codeBlock(text, lang ?? ''),
      table(token) {
        return `<div class="table" tabindex="0">${tableOf(token, (tokens) => this.parser.parseInline(tokens))}</div>\n`
      },
      // Marks for scripts that write a part of a page are not content.
      html: ({ text }) => (/^\s*<!--[\s\S]*?-->\s*$/.test(text) ? '' : escape(text)),
    },
  })
  const html = marked.parse(page.text, { async: false })
  return { html, headings }
}

function codeBlock(text: string, language: string): string {
  const label = /^\w+/.exec(language)?.[0] ?? 'text'
  return `<div class="code"><pre tabindex="0"><code class="language-${label}">${escape(text)}\n</code></pre><button class="copy" type="button" aria-live="polite" hidden>Copy</button></div>\n`
}

function tableOf({ header, rows }: Tokens.Table, inline: (tokens: Tokens.TableCell['tokens']) => string): string {
  const heads = header
    .map(({ tokens, text }) => (text === '' ? '<td></td>' : `<th scope="col">${inline(tokens)}</th>`))
    .join('')
  const cellOf = ({ tokens }: Tokens.TableCell) =>
    `<td>${inline(tokens).replaceAll(/<code>.*?<\/code>/g, breakable)}</td>`
  const lines = rows.map((cells) => `<tr>${cells.map(cellOf).join('')}</tr>`)
  return `<table><thead><tr>${heads}</tr></thead><tbody>${lines.join('')}</tbody></table>`
}

/** Lets a path or a long name break between its parts: otherwise it would push the next column off a phone. */
function breakable(code: string): string {
  return code.replaceAll(/(?<=[\w}\]])(?=[/_.?=-][\w{])|(?<=[a-z])(?=[A-Z])/g, '<wbr>')
}
