/** The style sheet: what every page shares, the frame of the homepage, then its parts. */
import { frameStyle } from '../frame/frame-styles.ts'

const frame = `
h1 { font-size: clamp(34px, 7vw, 44px); line-height: 1.1; letter-spacing: -.025em }
h2 { font-size: 24px; letter-spacing: -.02em }
h3 { font-size: 15px }
p code { padding: 1px 4px; border-radius: 4px; background: var(--sunk); box-shadow: 0 0 0 1px var(--line); overflow-wrap: anywhere }
.top nav { order: 3; width: 100% }
.top ul { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 8px; font-size: 13px }
.top nav a { display: block; padding: 4px 0; color: var(--soft); text-decoration: none }
.top nav a:hover { color: var(--ink) }
main > section { padding-block: 20px }
main > section + section { border-top: 1px solid var(--line) }
.hero { display: grid; gap: 24px }
.summary { margin-top: 16px; max-width: 34em; font-size: 18px; line-height: 1.45; color: var(--soft); text-wrap: pretty }
.doors { display: flex; flex-wrap: wrap; align-items: center; gap: 12px 24px; margin-top: 20px }
.door { padding: 10px 16px; border-radius: var(--radius); background: var(--leaf); color: var(--paper); font-weight: 600; text-decoration: none }
.door:hover { background: var(--ink) }
.side p { margin-top: 8px; max-width: 36em; font-size: 15px; color: var(--soft) }
.body { min-width: 0; margin-top: 20px }
.note { margin-top: 12px; max-width: 52em; font-size: 13px; color: var(--soft) }
.pair { display: grid; gap: 16px 24px }
.pair > * { min-width: 0 }

@media (min-width: 700px) {
  .pair { grid-template-columns: 1fr 1fr }
  .top nav { order: 0; width: auto }
  .top ul { gap: 24px; font-size: 14px }
}
@media (min-width: 1080px) {
  main > section { display: grid; grid-template-columns: minmax(0, 4fr) minmax(0, 9fr); gap: 48px; padding-block: 28px }
  main > section + section { position: relative; border: 0 }
  main > section + section::before { content: ""; position: absolute; inset: 0 32px auto; height: 1px; background: var(--line) }
  main > .hero { grid-template-columns: minmax(0, 1fr) 464px; gap: 32px 48px; align-items: end; padding-top: 48px }
  .shot { grid-column: 1 / -1 }
  .body { margin-top: 0 }
}
`

/** Commands, panels, figures, lists; then colours and print. */
const parts = `
.commands { display: grid; gap: 8px; max-width: 464px }
.commands > div { display: grid; grid-template-columns: 108px 1fr; align-items: center; padding-left: 12px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised) }
.commands dt { font-size: 13px; color: var(--faint) }
.commands dd { display: flex; align-items: center; min-height: 42px }
.command { flex: 1; user-select: all }
.copy { align-self: stretch; min-width: 68px; padding: 0 8px; border: 0; border-left: 1px solid var(--line); background: none; color: var(--soft); font: 13px var(--sans); cursor: pointer }
.copy:hover { color: var(--ink); background: var(--sunk) }

.shot img { width: 100%; height: auto; border: 1px solid var(--line); border-radius: var(--radius) }
.panel { padding: 12px 16px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised) }
pre.panel { overflow-x: auto; line-height: 1.6 }
pre.wrap { white-space: pre-wrap; overflow-wrap: anywhere }
pre.panel + * { margin-top: 12px }
.terminal { font: 13px/1.6 var(--mono) }
.terminal dl { margin-top: 4px; padding-left: 2ch }
.terminal dl > div { display: grid; grid-template-columns: 9ch 1fr; padding-block: 1px }
.terminal p + p { margin-top: 4px; padding-left: 2ch; color: var(--soft) }
.terminal dt, .terminal thead { color: var(--faint) }
.terminal dd { overflow-wrap: anywhere; white-space: pre-wrap }
.bad { color: var(--bad) }
table { border-collapse: collapse }
th { font-weight: 400; text-align: left }
td, th { padding: 1px 0 1px 2ch; vertical-align: top; white-space: nowrap }
td:last-child { white-space: normal }
td:first-child, th:first-child { padding-left: 0 }
td:nth-child(-n+3), th:nth-child(2), th:nth-child(3) { text-align: right }
.panel + .pair { margin-top: 20px }
.point p { margin-top: 4px; font-size: 14px; color: var(--soft) }
.figures { display: grid; gap: 12px; font-size: 14px; color: var(--soft) }
.figures li { display: grid; grid-template-columns: 104px 1fr; align-items: baseline }
.figures strong { font-size: 24px; line-height: 1.2; letter-spacing: -.02em; color: var(--ink) }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr)); gap: 16px; margin-bottom: 20px }
.charts img { width: 100%; max-width: 440px; height: auto }
.on-light { display: block }
.on-dark { display: none }
:root:has(#theme-dark:checked) .on-light { display: none }
:root:has(#theme-dark:checked) .on-dark { display: block }
.lists { display: grid; grid-template-columns: 1fr 1fr; gap: 16px 24px; font-size: 14px }
/* 24 px high: a finger hits the right one. */
.lists a { display: inline-block; padding-block: 2px; line-height: 20px }
.addresses { font-size: 14px; color: var(--soft) }
.addresses li { padding-block: 2px; overflow-wrap: anywhere }
.addresses a { font: 13px var(--mono); color: var(--leaf) }

@media (max-width: 389px) {
  table { font-size: 2.9vw }
  .commands > div { grid-template-columns: 1fr }
  .commands dt { padding-top: 8px }
}
@media (min-width: 700px) {
  .figures { grid-template-columns: repeat(auto-fit, minmax(176px, 1fr)); gap: 24px }
  .figures li, .figures strong { display: block }
  .lists { grid-template-columns: repeat(4, auto) }
  td, th { padding-left: 4ch }
}
@media (prefers-color-scheme: dark) {
  :root:not(:has(#theme-light:checked)) .on-light { display: none }
  :root:not(:has(#theme-light:checked)) .on-dark { display: block }
}
@media print {
  .on-light { display: block !important }
  .on-dark { display: none !important }
  /* Sections may break: kept whole, they would leave large parts of sheets blank. */
  main > section, main > .hero { display: block; padding-block: 16px }
  .side, .note, h2, h3 { break-after: avoid }
  /* Next to each other: one above the other, they leave a third of a sheet blank. */
  .charts { grid-template-columns: 1fr 1fr; break-inside: avoid }
  .body { margin-top: 12px }
  .panel, .point, .figures li, tr { break-inside: avoid }
}
`

export const style = frameStyle + frame + parts
