/**
 * Node's test runner follows every promise and socket, to know whose error an uncaught one is and where a test belongs that
 * is declared in another. That takes a tenth of the time of tests that read many pages. Here it follows them only while a
 * file declares its tests; an uncaught error ends the process, which names the file.
 *
 * To be loaded before `node:test`, which takes `createHook` from its module once.
 */
import asyncHooks from 'node:async_hooks'

const { createHook } = asyncHooks
const tracking = []

asyncHooks.createHook = (callbacks) => {
  const hook = createHook(callbacks)
  // Only the test runner asks for both.
  if ('init' in callbacks && 'destroy' in callbacks) tracking.push(hook)
  return hook
}

export function startTracking() {
  for (const hook of tracking) hook.enable()
}

export function stopTracking() {
  for (const hook of tracking) hook.disable()
}
