/** afdocs: how well agents can read the docs. */
import { named, parsed, runNpm } from './tools.js'

/** What stays, and why. */
const known = {
  'llms-txt-links-markdown': 'five links lead to JSON and to robots.txt, which have no markdown',
  'llms-txt-directive-html': 'the same files cannot have a line that points to llms.txt',
  'content-start-position': 'the menu comes before the article in the HTML; agents get the markdown',
  'page-size-html': 'one page is slightly longer than 50,000 characters, menu included',
}

export async function docsChecks({ site }) {
  // Every run tests the same links: random ones may lead to hosts that the machine cannot reach.
  const options = ['--format', 'json', '--sampling', 'deterministic']
  const { results } = parsed(await runNpm('afdocs', 'afdocs', ['check', site, ...options]))
  const ran = results.filter(({ status }) => status !== 'skip')
  const left = ran.filter(({ status }) => status !== 'pass')
  const others = left.filter(({ id }) => !Object.hasOwn(known, id))
  return [
    {
      tool: named('afdocs'),
      over: 'docs, `llms.txt`',
      result: `${ran.length - left.length} of ${ran.length} checks pass; the others are [known](#what-the-checkers-still-say)`,
      isGreen: others.length === 0 && ran.length > 20,
      remarks: others.map(({ id, message }) => `${id}: ${message}`),
    },
  ]
}
