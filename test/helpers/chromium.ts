/** Which Chromium the tests start, and what keeps it from talking to anybody by itself. */
export const executablePath = process.env.CHROMIUM || '/usr/bin/chromium'

export const quiet = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
