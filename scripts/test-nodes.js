/**
 * Runs every test with newer versions of Node: `npm run test:nodes`. It installs them into a cache folder, so `npm test` leaves
 * it out. `-- 24` runs one of them, `-- 24 cli/` only the files with that word in their path.
 */
import { spawnSync } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { nodeFromNpm, nodes } from './cached-tools.js'

const args = process.argv.slice(2)
const isMajor = (word) => /^\d+$/.test(word)
const unknown = args.filter((word) => isMajor(word) && !Object.hasOwn(nodes, word))
if (unknown.length > 0) {
  console.error(`There is no Node ${unknown.join(' or ')} here: ${Object.keys(nodes).join(', ')}.`)
  process.exit(2)
}
const wanted = args.some(isMajor) ? args.filter(isMajor) : Object.keys(nodes)
const words = args.filter((word) => !isMajor(word))

const results = wanted.map((major) => {
  const program = nodeFromNpm(major)
  console.log(`Node ${nodes[major]}`)
  const { status } = spawnSync(program, ['scripts/test.js', ...words], {
    stdio: 'inherit',
    env: { ...process.env, PATH: dirname(program) + delimiter + process.env.PATH },
  })
  return { major, isGreen: status === 0 }
})

console.log('')
for (const { major, isGreen } of results) console.log(`Node ${nodes[major]}: ${isGreen ? 'all pass' : 'not all pass'}`)
process.exit(results.every(({ isGreen }) => isGreen) ? 0 : 1)
