/** What was measured next to others: two charts, and a table for those who read markdown. */
import { chartText, type PeerChart, type PeerFigures } from './peer-picture.ts'
import { peerFigures } from './peer-figures.ts'

export type Peers = {
  readonly charts: readonly { readonly chart: PeerChart; readonly alt: string }[]
  readonly table: PeerFigures['table']
  readonly note: string
}

export const peers: Peers = {
  charts: peerFigures.charts.map((chart) => ({ chart, alt: chartText(chart) })),
  table: peerFigures.table,
  note: `Medians, measured on ${peerFigures.date} on ${peerFigures.machine}: ${peerFigures.versions.join(', ')}. \`npm run bench:peers\` measures it on yours.`,
}
