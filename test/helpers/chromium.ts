/** Which Chromium the tests start, what keeps it from talking to anybody by itself, and what spares the cores. */
export const executablePath = process.env.CHROMIUM || '/usr/bin/chromium'

export const quiet = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages of tests live for a second or two: code is slower to optimize than to run, and most garbage need not be collected.
  '--js-flags=--no-turbofan,--no-maglev,--always-sparkplug,--max-semi-space-size=64,--single-threaded-gc',
  '--num-raster-threads=1',
]
