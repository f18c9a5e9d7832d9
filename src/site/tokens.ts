/** Colour, type, space: one set for light and dark. `light-dark()` follows the system, or the switch in the header. */
export const paper = { light: '#fcfcf9', dark: '#0e1210' }

export const tokens = `:root {
  color-scheme: light dark;
  --paper: light-dark(${paper.light}, ${paper.dark});
  --raised: light-dark(#fff, #141916);
  --sunk: light-dark(#f4f5ef, #0a0d0b);
  --line: light-dark(#e2e5dc, #262d29);
  --edge: light-dark(#c9cec2, #3a443e);
  --ink: light-dark(#151a17, #e9eeea);
  --soft: light-dark(#4e5751, #aab4ad);
  --faint: light-dark(#656e68, #8d978f);
  --leaf: light-dark(#1d7a3c, #74cf8a);
  --wash: light-dark(#e6f3e7, #17281c);
  --bad: light-dark(#b3261e, #ff9389);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --radius: 6px;
}
:root:has(#theme-light:checked) { color-scheme: light }
:root:has(#theme-dark:checked) { color-scheme: dark }
`
