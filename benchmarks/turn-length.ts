/** Loaded into a program before it starts: tells the parent process, whenever that asks, the longest turn of the loop since the last time. */
import { threadMs } from './thread-time.ts'

let last = threadMs()
let longest = 0

/** The most processor time that the main thread spent between two turns of a timer (ms). */
function beat(): void {
  const now = threadMs()
  longest = Math.max(longest, now - last)
  last = now
}

setInterval(beat, 1).unref()

process.on('message', () => {
  beat()
  process.send?.(longest)
  longest = 0
})
process.channel?.unref()
