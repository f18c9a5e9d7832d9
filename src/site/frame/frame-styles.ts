/** Styles that every page shares: tokens, text, links, the header with its switch. */
import { tokens } from '../tokens.ts'

export const frameStyle = `${tokens}
* { box-sizing: border-box; margin: 0; padding: 0 }
html { scroll-padding-top: 24px; -webkit-text-size-adjust: 100% }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 var(--sans); font-variant-numeric: tabular-nums; -webkit-font-smoothing: antialiased }
h1, h2, h3 { font-weight: 600; line-height: 1.2; text-wrap: balance }
b, strong { font-weight: 600 }
p, dd { text-wrap: pretty }
ul, ol { list-style: none }
a { color: inherit; text-decoration: underline; text-decoration-color: var(--edge); text-underline-offset: 3px }
a:hover { text-decoration-color: currentColor }
:focus-visible { outline: 2px solid var(--leaf); outline-offset: 2px; border-radius: 2px }
code, pre { font-family: var(--mono); font-size: 13px }
.wide { max-width: 1264px; margin: 0 auto; padding-inline: 16px }
.skip { position: absolute; left: 16px; top: -48px; padding: 8px 12px; background: var(--ink); color: var(--paper); border-radius: var(--radius); z-index: 3 }
.skip:focus { top: 8px }
.words, .theme legend, .theme input { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
[hidden] { display: none !important }
.top { border-bottom: 1px solid var(--line) }
.top .wide { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 24px; padding-block: 12px }
.brand { display: inline-flex; align-items: center; gap: 8px; font-weight: 600; text-decoration: none; letter-spacing: -.01em }
.logo { margin-left: -4px; color: var(--leaf) }
.logo-fill { fill: var(--wash) }
.theme { position: relative; display: flex; margin-left: auto; border: 1px solid var(--line); border-radius: var(--radius) }
.theme label { display: grid; place-items: center; width: 32px; height: 28px; color: var(--faint); cursor: pointer; border-radius: 5px }
.theme label:hover { color: var(--ink) }
.theme label:has(:checked) { color: var(--ink); background: var(--line) }
.theme label:has(:focus-visible) { outline: 2px solid var(--leaf); outline-offset: 1px }
.bottom { border-top: 1px solid var(--line); background: var(--sunk); font-size: 14px; color: var(--soft) }
.bottom .wide { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 16px 48px; padding-block: 32px }
.bottom strong { color: var(--ink) }
.bottom ul { display: flex; flex-wrap: wrap; gap: 4px 16px }
@media (min-width: 700px) { .wide { padding-inline: 32px } }
@media (prefers-reduced-motion: no-preference) { .copy, .theme label, a { transition: color .15s, background-color .15s, text-decoration-color .15s } }
@media print { :root { color-scheme: light !important } .top nav, .theme, .copy, .skip { display: none !important } }
`
