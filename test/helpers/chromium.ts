/** Which Chromium the tests start, what keeps it from talking to anybody by itself, and what spares the cores. */
export const executablePath = process.env.CHROMIUM || '/usr/bin/chromium'

export const quiet = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages of tests live for a second or two: code is slower to optimize than to run.
  '--js-flags=--no-turbofan,--no-maglev',
  '--num-raster-threads=1',
]
