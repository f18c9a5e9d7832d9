/** Loaded before a program: at its end, writes its peak resident memory (MB) to the file that PEAK_FILE names. */
import { writeFileSync } from 'node:fs'

process.on('exit', () => {
  writeFileSync(process.env.PEAK_FILE as string, String(process.resourceUsage().maxRSS / 1024))
})
