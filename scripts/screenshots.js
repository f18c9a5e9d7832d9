/** Makes the pictures of the builder for the homepage, from the product as it runs: docs/pictures/. */
import { spawnSync } from 'node:child_process'
import { chromium } from './chromium.js'
import { compile } from './compile.js'

compile()
const { status } = spawnSync(process.execPath, ['--test', 'build/test/site/pictures.test.js'], {
  stdio: 'inherit',
  env: { ...process.env, CHROMIUM: chromium(), TURNLEAF_WRITE_PICTURES: '1' },
})
process.exit(status ?? 1)
