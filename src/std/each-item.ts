/** Lists that come one by one → their items, one by one. */

/**
 * An async generator over the items would make three promises for each; this makes one. Otherwise it behaves as a generator does: calls are answered in their order, and ending it ends `lists`.
 */
export function eachItem<T>(lists: AsyncGenerator<readonly T[]>): AsyncGenerator<T, void, undefined> {
  let list: readonly T[] = []
  let index = 0
  let isOver = false
  /** The latest call that waits for a list. */
  let waiting: Promise<IteratorResult<T, void>> | null = null

  const end = () => {
    isOver = true
    list = []
    index = 0
  }
  const take = async (): Promise<IteratorResult<T, void>> => {
    while (index >= list.length) {
      const next: IteratorResult<readonly T[]> | null = isOver ? null : await lists.next()
      if (next === null || next.done === true) {
        end()
        return { done: true, value: undefined }
      }
      list = next.value
      index = 0
    }
    return { done: false, value: list[index++] as T }
  }
  const queue = (call: () => Promise<IteratorResult<T, void>>): Promise<IteratorResult<T, void>> => {
    const called = waiting === null ? call() : waiting.then(call, call)
    waiting = called
    const settle = () => {
      if (waiting === called) waiting = null
    }
    called.then(settle, settle)
    return called
  }

  return {
    next() {
      if (waiting === null && index < list.length) return Promise.resolve({ done: false, value: list[index++] as T })
      return queue(take)
    },
    return() {
      return queue(async () => {
        end()
        await lists.return(undefined)
        return { done: true, value: undefined }
      })
    },
    throw(error: unknown) {
      return queue(async () => {
        end()
        await lists.return(undefined)
        throw error
      })
    },
    [Symbol.asyncIterator]() {
      return this
    },
    async [Symbol.asyncDispose]() {
      await this.return()
    },
  }
}
