/** Rows at the bottom of a terminal that are redrawn; permanent lines are written above them. */

export type Screen = { readonly columns?: number; readonly rows?: number; write(text: string): unknown }

export type LiveRows = {
  /** Replaces the rows. */
  draw(rows: readonly string[]): void
  /** Writes a permanent line. */
  put(line: string): void
  /** Removes the rows. */
  end(): void
}

export function openLiveRows(screen: Screen): LiveRows {
  let drawn: readonly string[] = []
  // If the process ends early, leave the cursor on a new line.
  const leave = () => void (drawn.length > 0 && screen.write('\n'))
  process.once('exit', leave)
  return {
    draw(rows) {
      screen.write(erase(drawn) + unwrapped(rows))
      drawn = rows
    },
    put(line) {
      screen.write(`${erase(drawn)}${line}\n${unwrapped(drawn)}`)
    },
    end() {
      screen.write(erase(drawn))
      drawn = []
      process.removeListener('exit', leave)
    },
  }
}

/** The cursor is at the end of the last row. */
function erase(rows: readonly string[]): string {
  return rows.length === 0 ? '' : `\r\x1b[2K${'\x1b[1A\x1b[2K'.repeat(rows.length - 1)}`
}

/** Turns line wrapping off until then, so that wide characters cannot break a row. */
function unwrapped(rows: readonly string[]): string {
  return rows.length === 0 ? '' : `\x1b[?7l${rows.join('\n')}\x1b[?7h`
}
