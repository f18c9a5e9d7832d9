/** The style sheet: what every page shares, the frame of the homepage, then its parts. */
import { frameStyle } from '../frame/frame-styles.ts'

const frame = `
h1 { font-size: 44px; line-height: 1.1; letter-spacing: -.025em }
h2 { font-size: 28px; letter-spacing: -.02em }
h3 { font-size: 16px; letter-spacing: -.005em }
p code, h3 code { padding: 1px 4px; border-radius: 4px; background: var(--sunk); box-shadow: 0 0 0 1px var(--line); overflow-wrap: anywhere }
.top nav { order: 3; width: 100% }
.top ul { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 8px; font-size: 13px }
.top nav a { display: block; padding: 4px 0; color: var(--soft); text-decoration: none }
.top nav a:hover { color: var(--ink) }

main > section { padding-block: 48px }
main > section + section { border-top: 1px solid var(--line) }
.hero { display: grid; gap: 32px }
.summary { margin-top: 16px; max-width: 32em; font-size: 20px; line-height: 1.4; color: var(--soft); text-wrap: balance }
.side p { margin-top: 12px; max-width: 36em; color: var(--soft) }
.body { min-width: 0; margin-top: 24px }
.note { margin-top: 12px; max-width: 44em; font-size: 14px; color: var(--soft) }
.pair { display: grid; gap: 16px }

@media (min-width: 700px) {
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

/** Commands, panels, pictures, figures, lists; then motion and print. */
const parts = `
.commands { display: grid; gap: 8px; margin-top: 32px; max-width: 464px }
.commands > div { display: grid; grid-template-columns: 108px 1fr; align-items: center; padding-left: 12px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised) }
.commands dt { font-size: 13px; color: var(--faint) }
.commands dd { display: flex; align-items: center; min-height: 42px }
.command { flex: 1; user-select: all }
.copy { align-self: stretch; min-width: 68px; padding: 0 8px; border: 0; border-left: 1px solid var(--line); background: none; color: var(--soft); font: 13px var(--sans); cursor: pointer }
.copy:hover { color: var(--ink); background: var(--sunk) }

.panel, .sheets { border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised) }
.panel { padding: 16px }
.sheets { position: relative; padding: 16px; margin-bottom: 12px }
.sheets::before, .sheets::after { content: ""; position: absolute; z-index: -1; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised) }
.sheets::before { inset: 6px 6px -7px; z-index: -1 }
.sheets::after { inset: 12px 12px -13px; z-index: -2 }
.sheets figcaption { display: flex; justify-content: space-between; gap: 16px; margin: -16px -16px 20px; padding: 12px 16px; border-bottom: 1px solid var(--line); font-size: 13px; color: var(--faint) }
.sheets b { color: var(--ink) }
pre.panel { overflow-x: auto; line-height: 1.7 }
.note + pre.panel { margin-top: 24px }
pre.wrap { white-space: pre-wrap; overflow-wrap: anywhere }
pre b { color: var(--leaf) }

.picture { display: block; overflow: visible; font-variant-numeric: tabular-nums }
.picture text { fill: var(--ink) }
.picture .soft { fill: var(--soft) }
.picture .faint { fill: var(--faint) }
.picture .warn { fill: var(--bad) }
.picture .mark { fill: var(--leaf); font-weight: 600 }
.sheets .picture, .method .picture, .split .picture { font-family: var(--mono) }
.picture .leaf { fill: var(--wash); stroke: var(--leaf) }
.picture .number { fill: var(--leaf); font-weight: 600 }
.picture .rail, .picture .ask { stroke: var(--edge) }
.picture .answer { stroke: var(--edge) }
.picture .lane { stroke: var(--line) }
.picture .tip { fill: var(--faint) }
.picture .track { fill: var(--sunk) }
.picture .bar, .picture .stop { fill: var(--leaf) }
.picture .rest { fill: var(--edge) }

.split { padding: 0 }
.split > * { padding: 16px }
.split .terminal { border-top: 1px solid var(--line) }

.method h3 { margin-bottom: 16px }
.method dl { margin-top: 16px; padding-top: 12px; border-top: 1px solid var(--line); font-size: 13px }
.method dl > div, .terminal dl > div { display: grid; grid-template-columns: 48px 1fr; padding-block: 2px }
.method dt { color: var(--faint) }
.method dd { color: var(--soft) }

.terminal { font: 13px/1.6 var(--mono) }
.terminal dl { margin-top: 4px; padding-left: 2ch }
.terminal dl > div { grid-template-columns: 5ch 1fr }
.finding > p + p { margin-top: 4px; padding-left: 2ch; color: var(--soft) }
.finding dl > div { grid-template-columns: 9ch 1fr }
pre.panel + .finding { margin-top: 12px }
pre.panel + .figures { margin-top: 28px }
.terminal dt, .terminal thead { color: var(--faint) }
.terminal dd { overflow-wrap: anywhere; white-space: pre-wrap }
.bad { color: var(--bad) }
table { border-collapse: collapse }
th { font-weight: 400; text-align: left }
td, th { padding: 1px 0 1px 2ch; vertical-align: top; white-space: nowrap }
td:last-child { white-space: normal }
td:first-child, th:first-child { padding-left: 0 }
td:nth-child(-n+3), th:nth-child(2), th:nth-child(3) { text-align: right }

.plain { gap: 32px }
.point p { margin-top: 8px; font-size: 14px; color: var(--soft) }
.figures { display: grid; gap: 12px; margin-bottom: 24px; font-size: 14px; color: var(--soft) }
.figures li { display: grid; grid-template-columns: 120px 1fr; align-items: baseline }
.figures strong { font-size: 28px; line-height: 1.2; letter-spacing: -.02em; color: var(--ink) }
.chart { padding: 20px 16px; margin-bottom: 32px }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr)); gap: 16px; margin-top: 16px }
.charts .panel { padding: 16px }
.charts img { width: 100%; max-width: 440px; height: auto }
.on-light { display: block }
.on-dark { display: none }
:root:has(#theme-dark:checked) .on-light { display: none }
:root:has(#theme-dark:checked) .on-dark { display: block }
.rows > div { display: grid; gap: 0 24px; padding-block: 12px; border-bottom: 1px solid var(--line); font-size: 14px }
.rows > div:last-child { border: 0 }
.rows:first-child > div:first-child { padding-top: 0 }
.rows dt { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 16px }
.rows a, .rows code { font-family: var(--mono); font-size: 13px; overflow-wrap: anywhere }
.rows a { color: var(--leaf) }
.rows span { font-size: 12px; color: var(--faint) }
.rows dd { color: var(--soft) }
.panel + .rows { margin-top: 12px }

@media (max-width: 389px) {
  .sheets .picture, .split .picture, table { font-size: 2.9vw }
  .sheets .faint { display: none }
  .commands > div { grid-template-columns: 1fr }
  .commands dt { padding-top: 8px }
}
@media (min-width: 700px) {
  .panel { padding: 20px }
  .split { padding: 0 }
  .split > * { padding: 20px }
  .sheets { padding: 24px }
  .sheets figcaption { margin: -24px -24px 24px; padding-inline: 24px }
  .rows > div { grid-template-columns: 208px minmax(0, 1fr); align-items: baseline }
  .three > div { grid-template-columns: 208px 176px minmax(0, 1fr) }
  .three dt { display: contents }
  .figures { grid-template-columns: repeat(auto-fit, minmax(160px, 1fr)); gap: 24px }
  .figures li { display: block }
  .figures strong { display: block }
  td, th { padding-left: 4ch }
}
@media (prefers-color-scheme: dark) {
  :root:not(:has(#theme-light:checked)) .on-light { display: none }
  :root:not(:has(#theme-light:checked)) .on-dark { display: block }
}
@media (prefers-reduced-motion: no-preference) {
  .turn .bar, .turn .leaf, .turn .stop { transform-box: fill-box; transform-origin: 0 50%; animation: .6s cubic-bezier(.3, 0, .2, 1) both }
  .turn .bar { animation-name: grow }
  .turn .leaf { animation-name: turn }
  .turn .stop { animation-name: end; transform-origin: 50% 50% }
  .t0 * { animation-delay: .3s !important }
  .t1 * { animation-delay: .9s !important }
  .t2 * { animation-delay: 1.5s !important }
  .t3 * { animation-delay: 2.1s !important }
}
@keyframes grow { from { transform: scaleX(0) } }
@keyframes turn { from { transform: skewY(-30deg) scaleX(.15) } }
@keyframes end { from { transform: scale(0) } }
@media print {
  .on-light { display: block !important }
  .on-dark { display: none !important }
  /* Sections may break: kept whole, they would leave large parts of pages blank. */
  main > section, main > .hero { display: block; padding-block: 16px }
  .side { position: static }
  .side, .note { break-after: avoid }
  .body { margin-top: 12px }
  .panel, .sheets, .point, .figures li, .rows > div, tr { break-inside: avoid }
}
`

export const style = frameStyle + frame + parts
