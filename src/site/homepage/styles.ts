/** The style sheet: tokens, the frame of the page, then what stands in it. */
import { parts } from './styles-parts.ts'
import { tokens } from '../tokens.ts'

const frame = `
* { box-sizing: border-box; margin: 0; padding: 0 }
html { scroll-padding-top: 24px; -webkit-text-size-adjust: 100% }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 var(--sans); font-variant-numeric: tabular-nums; -webkit-font-smoothing: antialiased }
h1, h2, h3 { font-weight: 600; line-height: 1.2; text-wrap: balance }
h1 { font-size: 44px; line-height: 1.1; letter-spacing: -.025em }
h2 { font-size: 28px; letter-spacing: -.02em }
h3 { font-size: 16px; letter-spacing: -.005em }
b, strong { font-weight: 600 }
p, dd { text-wrap: pretty }
ul, ol { list-style: none }
a { color: inherit; text-decoration: underline; text-decoration-color: var(--edge); text-underline-offset: 3px }
a:hover { text-decoration-color: currentColor }
:focus-visible { outline: 2px solid var(--leaf); outline-offset: 2px; border-radius: 2px }
code, pre { font-family: var(--mono); font-size: 13px }
p code, h3 code { padding: 1px 4px; border-radius: 4px; background: var(--sunk); box-shadow: 0 0 0 1px var(--line); overflow-wrap: anywhere }
.wide { max-width: 1264px; margin: 0 auto; padding-inline: 16px }
.skip { position: absolute; left: 16px; top: -48px; padding: 8px 12px; background: var(--ink); color: var(--paper); border-radius: var(--radius); z-index: 1 }
.skip:focus { top: 8px }
.words, .theme legend, .theme input { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }

.top { border-bottom: 1px solid var(--line) }
.top .wide { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 24px; padding-block: 12px }
.brand { display: inline-flex; align-items: center; gap: 8px; font-weight: 600; text-decoration: none; letter-spacing: -.01em }
.logo { margin-left: -4px; color: var(--leaf) }
.logo-fill { fill: var(--wash) }
.top nav { order: 3; width: 100% }
.top ul { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 8px; font-size: 13px }
.top nav a { display: block; padding: 4px 0; color: var(--soft); text-decoration: none }
.top nav a:hover { color: var(--ink) }
.theme { position: relative; display: flex; margin-left: auto; border: 1px solid var(--line); border-radius: var(--radius) }
.theme label { display: grid; place-items: center; width: 32px; height: 28px; color: var(--faint); cursor: pointer; border-radius: 5px }
.theme label:hover { color: var(--ink) }
.theme label:has(:checked) { color: var(--ink); background: var(--line) }
.theme label:has(:focus-visible) { outline: 2px solid var(--leaf); outline-offset: 1px }

main > section { padding-block: 48px }
main > section + section { border-top: 1px solid var(--line) }
.hero { display: grid; gap: 32px }
.summary { margin-top: 16px; max-width: 32em; font-size: 20px; line-height: 1.4; color: var(--soft); text-wrap: balance }
.side p { margin-top: 12px; max-width: 36em; color: var(--soft) }
.body { min-width: 0; margin-top: 24px }
.note { margin-top: 12px; max-width: 44em; font-size: 14px; color: var(--soft) }
.pair { display: grid; gap: 16px }

.bottom { border-top: 1px solid var(--line); background: var(--sunk); font-size: 14px; color: var(--soft) }
.bottom .wide { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 16px 48px; padding-block: 32px }
.bottom strong { color: var(--ink) }
.bottom ul { display: flex; flex-wrap: wrap; gap: 4px 16px }

@media (min-width: 700px) {
  .wide { padding-inline: 32px }
  .pair { grid-template-columns: 1fr 1fr }
  .top nav { order: 0; width: auto }
  .top ul { gap: 24px; font-size: 14px }
}
@media (min-width: 1080px) {
  main > section { display: grid; grid-template-columns: minmax(0, 4fr) minmax(0, 8fr); gap: 48px; padding-block: 72px }
  main > section + section { position: relative; border: 0 }
  main > section + section::before { content: ""; position: absolute; inset: 0 32px auto; height: 1px; background: var(--line) }
  main > .hero { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 48px; align-items: center }
  .body { margin-top: 0 }
  .side { position: sticky; top: 32px; align-self: start }
}
`

export const style = tokens + frame + parts
