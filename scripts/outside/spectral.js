/** Spectral: both descriptions by its rules for OpenAPI, and a description for every parameter. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { named, parsed, runNpm } from '../cached-tools.js'

const rules = 'extends: spectral:oas\nrules:\n  oas3-parameter-description: warn\n'

/** The probe never succeeds: its contract is a 402. */
const required = { site: ['operation-success-response paths./api/x402.get.responses'], API: [] }

export async function spectral({ site, api }) {
  const rows = []
  for (const [name, origin] of [
    ['site', site],
    ['API', api],
  ]) {
    const found = await lint(await (await fetch(`${origin}/openapi.json`)).text())
    const others = found.filter((one) => !required[name].includes(one))
    rows.push({
      tool: named('@stoplight/spectral-cli'),
      over: `OpenAPI of the ${name}`,
      result: `${others.length} warnings${required[name].length > 0 ? ', and 1 that the contract requires' : ''}`,
      isGreen: others.length === 0 && found.length === required[name].length,
      remarks: others,
    })
  }
  return rows
}

async function lint(description) {
  const folder = mkdtempSync(join(tmpdir(), 'turnleaf-spectral-'))
  try {
    writeFileSync(join(folder, 'rules.yaml'), rules)
    writeFileSync(join(folder, 'openapi.json'), description)
    const options = ['--ruleset', 'rules.yaml', '--format', 'json', '--quiet']
    const found = parsed(
      await runNpm('@stoplight/spectral-cli', 'spectral', ['lint', 'openapi.json', ...options], { cwd: folder }),
    )
    return found.map(({ code, path }) => `${code} ${path.join('.')}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
