/** A list and what to do with each → the results, several at a time. */

/**
 * Starts with the first and takes the next one whenever one is done. After a failure no other is started; it is thrown when
 * those under way have ended. `onFailure` can end them sooner.
 *
 * @example const sizes = await inParallel(files, 4, (file) => sizeOf(file), () => controller.abort())
 */
export async function inParallel<In, Out>(
  inputs: readonly In[],
  width: number,
  work: (input: In) => Promise<Out>,
  onFailure: () => void = () => {},
): Promise<Out[]> {
  const results: Out[] = []
  const failures: unknown[] = []
  const waiting = inputs.entries()
  const takeTurns = async () => {
    for (const [index, input] of waiting) {
      results[index] = await work(input)
      if (failures.length > 0) return
    }
  }
  const fail = (error: unknown) => {
    failures.push(error)
    onFailure()
  }
  await Promise.all(Array.from({ length: Math.min(width, inputs.length) }, () => takeTurns().catch(fail)))
  if (failures.length > 0) throw failures[0]
  return results
}
