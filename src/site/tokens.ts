/** Colour, type, space: one set for light and dark. `light-dark()` follows the system, or the switch in the header. */
export type Scheme = 'light' | 'dark'

/** By name, for the style sheet and for pictures in files of their own, which no style sheet reaches. */
export const palette = {
  paper: { light: '#fcfcf9', dark: '#0e1210' },
  raised: { light: '#fff', dark: '#141916' },
  sunk: { light: '#f4f5ef', dark: '#0a0d0b' },
  line: { light: '#e2e5dc', dark: '#262d29' },
  edge: { light: '#c9cec2', dark: '#3a443e' },
  ink: { light: '#151a17', dark: '#e9eeea' },
  soft: { light: '#4e5751', dark: '#aab4ad' },
  faint: { light: '#656e68', dark: '#8d978f' },
  leaf: { light: '#1d7a3c', dark: '#74cf8a' },
  wash: { light: '#e6f3e7', dark: '#17281c' },
  bad: { light: '#b3261e', dark: '#ff9389' },
} as const satisfies Record<string, Record<Scheme, string>>

export const { paper } = palette

const sans = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'

const variables = Object.entries(palette).map(
  ([name, { light, dark }]) => `  --${name}: light-dark(${light}, ${dark});`,
)

export const tokens = `:root {
  color-scheme: light dark;
${variables.join('\n')}
  --sans: ${sans};
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --radius: 6px;
}
:root:has(#theme-light:checked) { color-scheme: light }
:root:has(#theme-dark:checked) { color-scheme: dark }
`
