/** Measures how 100,000 records of a test scroll in the builder: tasks that block the main thread for more than 50 ms. */
import { spawnSync } from 'node:child_process'
import { chromium } from './chromium.js'
import { compile } from './compile.js'

compile()
const { status } = spawnSync(process.execPath, ['build/test/builder/measure-scroll.js'], {
  stdio: 'inherit',
  env: { ...process.env, CHROMIUM: chromium() },
})
process.exit(status ?? 1)
