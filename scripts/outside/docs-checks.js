/** afdocs: how well agents can read the docs. */
import { named, parsed, runNpm } from '../cached-tools.js'

/** What stays, and why. */
const known = {
  'llms-txt-links-markdown': 'five links lead to JSON and to robots.txt, which have no markdown',
  'llms-txt-directive-html': 'the same files cannot have a line that points to llms.txt',
  'content-start-position': 'the menu comes before the article in the HTML; agents get the markdown',
  'page-size-html': 'one page is slightly longer than 50,000 characters, menu included',
}

export async function docsChecks({ site }) {
  const ran = await check(site)
  const left = ran.filter(({ status }) => status !== 'pass')
  const once = left.filter(isNew).map(({ id }) => id)
  // It may compute for longer than a connection is kept, and find it closed: what fails once is checked alone.
  const others = once.length === 0 ? [] : (await check(site, ['--checks', once.join(',')])).filter(isNew)
  const failed = left.length - once.length + others.length
  return [
    {
      tool: named('afdocs'),
      over: 'docs, `llms.txt`',
      result: `${ran.length - failed} of ${ran.length} checks pass; the others are [known](#what-the-checkers-still-say)`,
      isGreen: others.length === 0 && ran.length > 20,
      remarks: others.map(({ id, message }) => `${id}: ${message}`),
    },
  ]
}

async function check(site, options = []) {
  const usual = ['--format', 'json', '--sampling', 'deterministic']
  const { results } = parsed(await runNpm('afdocs', 'afdocs', ['check', site, ...usual, ...options]))
  return results.filter(({ status }) => status !== 'skip')
}

function isNew({ id, status }) {
  return status !== 'pass' && !Object.hasOwn(known, id)
}
