/** Facts → the page at {api_url}/, which stands where the builder will stand. */
import type { SiteFacts } from '../site/facts.ts'

export function serviceDocument({ baseUrl, version }: SiteFacts): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Turnleaf API</title>
</head>
<body>
<main>
<h1>Turnleaf API</h1>
<p>Version ${version}. This is the address for programs. The builder will stand here; it is not built yet, and neither are
the operations that read. Until then, everything Turnleaf does is in its command line.</p>
<ul>
<li><a href="/openapi.json">What this server answers</a></li>
<li><a href="/health">Whether it works</a></li>
<li><a href="${baseUrl}/">What Turnleaf is</a></li>
</ul>
</main>
</body>
</html>
`
}
