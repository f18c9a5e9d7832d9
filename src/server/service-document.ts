/** Facts → the page at {api_url}/, which stands where the builder will stand. */
import type { SiteFacts } from '../site/facts.ts'
import { logo } from '../site/homepage/mark.ts'
import { tokens } from '../site/tokens.ts'

const style = `${tokens}
body { margin: 0; padding: 72px 16px; background: var(--paper); color: var(--ink); font: 16px/1.5 var(--sans) }
main { max-width: 560px; margin: 0 auto }
h1 { display: flex; align-items: center; gap: 12px; margin: 0 0 16px; font-size: 28px; line-height: 1.2 }
.logo { color: var(--leaf) }
p { margin: 0 0 24px; color: var(--soft) }
ul { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised) }
li { display: flex; justify-content: space-between; gap: 16px; padding: 12px 16px }
li + li { border-top: 1px solid var(--line) }
a { color: var(--leaf); font: 14px var(--mono) }
a:focus-visible { outline: 2px solid var(--leaf); outline-offset: 2px; border-radius: 2px }
span { color: var(--soft); font-size: 14px; text-align: right }
`

export function serviceDocument({ baseUrl, version }: SiteFacts): string {
  const links = [
    ['/openapi.json', 'what this server answers'],
    ['/health', 'whether it works'],
    [`${baseUrl}/`, 'what Turnleaf is'],
  ]
  const rows = links.map(([href = '', words = '']) => `<li><a href="${href}">${href}</a><span>${words}</span></li>`)
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Turnleaf API</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>${logo} Turnleaf API</h1>
<p>Version ${version}. This is the address for programs. The builder will stand here; it is not built yet, and neither are
the operations that read. Until then, everything Turnleaf does is in its command line.</p>
<ul>
${rows.join('\n')}
</ul>
</main>
</body>
</html>
`
}
