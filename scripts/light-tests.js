/**
 * Makes node:test follow its own tests only. By itself it follows every promise and handle of the process, a sixth of what tests of the
 * engine take, to know which test an error belongs to that nothing caught. Here such an error belongs to the test that runs:
 * the tests of a process run one after the other. Imported before anything that loads node:test.
 */
import asyncHooks from 'node:async_hooks'

const { createHook, executionAsyncId, AsyncResource } = asyncHooks
const runInAsyncScope = Reflect.get(AsyncResource.prototype, 'runInAsyncScope')
let remember = () => {}
let running

asyncHooks.createHook = (callbacks) => {
  if (!new Error().stack?.includes('node:internal/test_runner')) return createHook(callbacks)
  remember = (id, test) => callbacks.init(id, '', 0, test)
  // Not before: an error while a file is loaded, that nothing else listens for, must end the process.
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, () => running !== undefined && remember(executionAsyncId(), running))
  }
  const hook = { enable: () => hook, disable: () => hook }
  return hook
}

// A test or a suite that is declared finds its suite by the id of what runs at that moment.
AsyncResource.prototype.runInAsyncScope = function (...args) {
  remember(this.asyncId(), this)
  if (['Test', 'TestHook'].includes(this.constructor.name)) running = this
  return runInAsyncScope.apply(this, args)
}
