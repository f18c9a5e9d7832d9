/** linkinator: every link and every anchor that can be reached from the homepage. Only our own hosts: the others are not ours to fix. */
import { named, parsed, runNpm } from '../cached-tools.js'

export async function links({ site, api }) {
  const own = [site, api].map((origin) => origin.replaceAll(/[.]/g, String.raw`\.`)).join('|')
  const options = ['--recurse', '--check-fragments', '--format', 'json', '--skip', `^(?!${own})`]
  const report = parsed(await runNpm('linkinator', 'linkinator', [`${site}/`, `${site}/llms.txt`, ...options]))
  const checked = report.links.filter(({ state }) => state !== 'SKIPPED')
  const broken = checked.filter(({ state }) => state !== 'OK')
  return [
    {
      tool: named('linkinator'),
      over: 'site and docs, recursively',
      result: `${broken.length} broken`,
      isGreen: report.passed && broken.length === 0 && checked.length > 80,
      remarks: broken.map(({ url, status, parent }) => `${status} ${url} from ${parent}`),
    },
  ]
}
