/** Options of the test command that spare the cores, for the Node processes that tests start. */
export const v8Options = process.execArgv.filter((option) => /^--(interrupt-budget=|single-threaded-gc$)/.test(option))
