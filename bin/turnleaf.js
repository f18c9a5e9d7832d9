#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'

// Node 22 and newer: a second start need not compile again.
module.enableCompileCache?.()

const program = new URL('../dist/cli/main.js', import.meta.url)
if (existsSync(program)) await import(program.href)
else {
  console.error('Turnleaf is not built here. Run `npm ci`, or `npm run build` after a change.')
  process.exitCode = 1
}
