/** The style sheet of the docs: a file of its own, since every page shares it. */
import { frameStyle } from '../frame/frame-styles.ts'

export const docStyle = `${frameStyle}
.top { position: sticky; top: 0; z-index: 2; background: var(--paper) }
.top .wide { max-width: 1440px }
html { scroll-padding-top: 80px }
.brand span { color: var(--faint); font-weight: 400 }
.search { position: relative; order: 3; width: 100% }
.search input { width: 100%; height: 32px; padding: 0 12px; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--raised); color: inherit; font: 14px var(--sans) }
.search input::placeholder { color: var(--faint) }
.search ul { position: absolute; z-index: 2; top: 40px; left: 0; right: 0; max-height: min(70vh, 520px); overflow-y: auto; padding: 4px; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--raised); box-shadow: 0 8px 24px rgb(0 0 0 / .16) }
.search li { display: grid; grid-template-columns: 1fr auto; gap: 0 12px; padding: 8px; border-radius: 4px; font-size: 13px; cursor: pointer }
.search li strong { font-size: 14px }
.search li em { font-style: normal; color: var(--faint) }
.search li span { grid-column: 1 / -1; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; color: var(--soft) }
.search li[aria-selected=true], .search li:hover { background: var(--wash) }
.search [role=status] { position: absolute; clip-path: inset(50%); font-size: 13px }
.search.empty:focus-within [role=status] { clip-path: none; top: 40px; left: 0; right: 0; padding: 12px; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--raised); color: var(--soft) }

.docs { display: grid; gap: 24px; max-width: 1440px; padding-block: 24px 72px }
.docs > * { min-width: 0 }
.menu { order: 3; padding-top: 8px; border-top: 1px solid var(--line) }
.jump { margin-bottom: 16px; font-size: 14px }
.jump a { color: var(--soft) }
.menu h2 { margin: 20px 0 4px; font-size: 13px; color: var(--faint) }
.menu a { display: block; padding: 3px 0; font-size: 14px; color: var(--soft); text-decoration: none }
.menu a:hover { color: var(--ink) }
.menu a[aria-current] { color: var(--leaf); font-weight: 600 }
.here { display: none; font-size: 13px }
.here h2 { font-size: 13px; color: var(--faint); margin-bottom: 4px }
.here a { display: block; padding: 2px 0; color: var(--soft); text-decoration: none }
.here a:hover { color: var(--ink) }
.here .deep { padding-left: 12px }

article { max-width: 46em; overflow-wrap: break-word }
article > * + * { margin-top: 16px }
article h1 { font-size: 32px; letter-spacing: -.02em }
article h2 { margin-top: 48px; font-size: 22px; letter-spacing: -.015em }
article h3 { margin-top: 32px; font-size: 17px }
article h4 { margin-top: 24px; font-size: 15px }
article a { color: var(--leaf); text-decoration-color: currentColor; text-decoration-thickness: 1px }
article ul, article ol { padding-left: 24px }
article ul { list-style: disc }
article ol { list-style: decimal }
article li + li { margin-top: 4px }
article li > ul, article li > ol, article li > .code { margin-top: 8px }
article :not(pre) > code { padding: 1px 4px; border-radius: 4px; background: var(--sunk); box-shadow: 0 0 0 1px var(--line); overflow-wrap: anywhere }
article blockquote { padding-left: 16px; border-left: 3px solid var(--edge); color: var(--soft) }
article hr { border: 0; border-top: 1px solid var(--line) }
article a.anchor { margin-left: 4px; color: var(--faint); font-weight: 400; text-decoration: none; opacity: 0 }
/* Not in the HTML, where programs would read it as a part of the heading. */
.anchor::before { content: '#' }
article :is(h2, h3, h4):hover .anchor, .anchor:focus-visible { opacity: 1 }
.code { position: relative }
.code pre { overflow-x: auto; padding: 12px 16px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised); line-height: 1.6 }
.copy { position: absolute; top: 6px; right: 6px; padding: 3px 8px; border: 1px solid var(--line); border-radius: 4px; background: var(--raised); color: var(--soft); font: 12px var(--sans); cursor: pointer; opacity: 0 }
.code:hover .copy, .copy:focus-visible { opacity: 1 }
.copy:hover { color: var(--ink); border-color: var(--edge) }
@media (hover: none) { .copy { opacity: 1 } }
.table { overflow-x: auto }
table { border-collapse: collapse; font-size: 14px; min-width: 50% }
th, td { padding: 6px 24px 6px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
th { font-weight: 600; white-space: nowrap }
article td > code { overflow-wrap: break-word }
.turn { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 16px; max-width: 46em; margin-top: 56px; padding-top: 16px; border-top: 1px solid var(--line); font-size: 14px }
.turn a { text-decoration: none; color: var(--leaf) }
.turn a:last-child:not(:first-child), .turn .next { margin-left: auto; text-align: right }
.turn small { display: block; color: var(--faint); font-size: 12px }
.bottom .wide { max-width: 1440px }

/* Its place is kept until the script shows it, so that the page below does not move. */
@media (scripting: enabled) { .search[hidden] { display: block !important; visibility: hidden } }
@media (max-width: 699px) {
  th { white-space: normal }
  th, td { padding-right: 12px }
}
@media (min-width: 700px) {
  .search { order: 0; width: 320px }
}
@media (min-width: 1000px) {
  .docs { grid-template-columns: 208px minmax(0, 1fr); gap: 56px }
  .jump { display: none }
  .menu { order: 0; border: 0; padding: 0;  position: sticky; top: 72px; align-self: start; max-height: calc(100vh - 88px); overflow-y: auto; padding-bottom: 24px }
  .menu h2:first-of-type { margin-top: 0 }
}
@media (min-width: 1280px) {
  .docs { grid-template-columns: 208px minmax(0, 1fr) 200px }
  .here { display: block; position: sticky; top: 72px; align-self: start; max-height: calc(100vh - 88px); overflow-y: auto }
}
@media print {
  .top, .menu, .jump, .here, .turn, .anchor, .bottom { display: none !important }
  .docs { display: block; padding: 0 }
  pre { white-space: pre-wrap; overflow-wrap: anywhere }
  tr, .code { break-inside: avoid }
  h2, h3 { break-after: avoid }
}
`
