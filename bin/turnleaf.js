#!/usr/bin/env node
import { existsSync } from 'node:fs'

const program = new URL('../dist/cli/main.js', import.meta.url)
if (existsSync(program)) await import(program.href)
else {
  console.error('Turnleaf is not built here. Run `npm ci`, or `npm run build` after a change.')
  process.exitCode = 1
}
