/** Work that may fail → the same, with no secret in what its failure says. */
import type { Redactor } from '../secrets/redact.ts'

type Redacting = { readonly redactor: Redactor }

/** @example const plan = await redactErrors(run, () => planComponent(run, component)) */
export async function redactErrors<T>({ redactor }: Redacting, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw redactor.error(error)
  }
}

/** The same for values that come one by one. */
export async function* redactErrorsOf<T>({ redactor }: Redacting, values: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* values
  } catch (error) {
    throw redactor.error(error)
  }
}
