/** Schemathesis: requests generated from both descriptions, the responses held to them. */
import { join } from 'node:path'
import { token } from './served.js'
import { named, pythonWith, run } from '../cached-tools.js'

/**
 * Every check but one. `positive_data_acceptance` expects success wherever the body fits its schema; a manifest is a text
 * whose errors are found after that, as documented statuses, and the probe is 402 by contract.
 */
const options = ['--checks', 'all', '--exclude-checks', 'positive_data_acceptance', '--no-color']
const generation = [
  '--phases',
  'examples,coverage,fuzzing',
  '--suppress-health-check',
  'all',
  '--request-timeout',
  '60',
]

export async function requests({ site, api, folder }, { seed, count = '20' }) {
  const rows = []
  for (const [name, origin, headers] of [
    ['site', site, []],
    ['API', api, ['--header', `Authorization: Bearer ${token}`]],
  ]) {
    const amount = ['--max-examples', count, '--seed', seed]
    const args = ['run', `${origin}/openapi.json`, ...options, ...generation, ...amount, ...headers]
    const { stdout, stderr, status } = await run(join(pythonWith('schemathesis'), 'st'), args, {
      cwd: folder,
      limitMs: 1_800_000,
    })
    const [, tested = '0', total = '?'] = /Selected: (\d+)\/(\d+)/.exec(stdout) ?? []
    console.error(`  ${name}: ${/\d+ generated/.exec(stdout)?.[0] ?? 'nothing generated'}, seed ${seed}`)
    rows.push({
      tool: named('schemathesis'),
      over: `all ${total} operations of the ${name}`,
      result: status === 0 ? 'no 5xx, no undocumented status, type or shape' : 'failures',
      isGreen: status === 0 && tested === total && Number(total) > 0,
      remarks: status === 0 ? [] : [failuresIn(stdout) || stderr],
    })
  }
  return rows
}

function failuresIn(printed) {
  const from = printed.indexOf('= FAILURES =')
  return from === -1 ? printed.slice(-4000) : printed.slice(from).split(/=+ (?:WARNINGS|SUMMARY) =+/)[0]
}
