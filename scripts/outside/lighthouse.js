/** Lighthouse: every category of the homepage and of some pages of the docs. */
import { chromium } from '../chromium.js'
import { named, parsed, runNpm } from '../cached-tools.js'

/** The longest, the one with most code, the one with the widest tables. */
const pages = ['/', '/docs', '/docs/get-started', '/docs/errors', '/docs/discovery']

/** Of 100. Performance depends on the machine, so it is shown and not judged. */
const least = { accessibility: 95, 'best-practices': 95, seo: 95, 'agentic-browsing': 100 }

export async function lighthouse({ site }) {
  const browser = chromium()
  if (browser === undefined) throw new Error('Lighthouse needs Chromium: install it, or name it in CHROMIUM.')
  const seen = []
  for (const page of pages) {
    for (const form of page === '/' ? ['mobile', 'desktop'] : ['mobile'])
      seen.push(await judge(site, page, form, browser))
  }
  const lowest = Object.keys(least).map((id) => [id, Math.min(...seen.map(({ scores }) => scores[id]))])
  return [
    {
      tool: named('lighthouse'),
      over: `homepage, ${pages.length - 1} pages of the docs`,
      result: lowest.map(([id, score]) => `${id.replace('-', ' ')} ${score}`).join(', '),
      isGreen: lowest.every(([id, score]) => score >= least[id]),
      remarks: seen.flatMap(({ remarks }) => remarks),
    },
  ]
}

async function judge(site, page, form, browser) {
  const report = parsed(
    await runNpm(
      'lighthouse',
      'lighthouse',
      [
        `${site}${page}`,
        '--output=json',
        '--quiet',
        '--chrome-flags=--headless=new --no-sandbox',
        ...(form === 'desktop' ? ['--preset=desktop'] : []),
      ],
      { env: { CHROME_PATH: browser } },
    ),
  )
  const categories = Object.values(report.categories)
  const scores = Object.fromEntries(categories.map(({ id, score }) => [id, Math.round(score * 100)]))
  console.error(
    `  ${page} ${form}: ${Object.entries(scores)
      .map((one) => one.join(' '))
      .join(', ')}`,
  )
  const faults = categories
    .filter(({ id }) => id !== 'performance')
    .flatMap(({ auditRefs }) => auditRefs)
    .map(({ id, weight }) => ({ ...report.audits[id], weight }))
    .filter(({ score, weight, scoreDisplayMode }) => scoreDisplayMode === 'error' || (weight > 0 && score < 0.9))
  return { scores, remarks: faults.map(({ id, title }) => `${page} ${form}: ${id}: ${title}`) }
}
