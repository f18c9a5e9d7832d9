/** Waits for what other processes do. */
import { setTimeout } from 'node:timers/promises'

/** Asks until there is an answer; what does not happen within a minute does not happen. */
export async function until<Answer>(
  what: string | (() => string),
  ask: () => Promise<Answer | undefined | false> | Answer | undefined | false,
): Promise<Answer> {
  const giveUpAt = performance.now() + 60_000
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > giveUpAt)
      throw new Error(`In a minute it did not happen: ${typeof what === 'string' ? what : what()}.`)
    await setTimeout(50)
  }
}
