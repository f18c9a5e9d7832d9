/** What the test command spares the cores by, for the Node processes that tests start: they live for a second. */
export const v8Options = process.execArgv.filter((option) => /^--(interrupt-budget=|single-threaded-gc$)/.test(option))
