/** Rows at the bottom of a terminal that are drawn again and again; lines for good pass above them. */

export type Screen = { readonly columns?: number; readonly rows?: number; write(text: string): unknown }

export type LiveRows = {
  /** In the place of the rows before. */
  draw(rows: readonly string[]): void
  /** A line that stays. */
  put(line: string): void
  /** Takes the rows away. */
  end(): void
}

export function openLiveRows(screen: Screen): LiveRows {
  let drawn: readonly string[] = []
  // A process that ends early leaves the cursor on a line of its own.
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

/** The cursor stands behind the last row. */
function erase(rows: readonly string[]): string {
  return rows.length === 0 ? '' : `\r\x1b[2K${'\x1b[1A\x1b[2K'.repeat(rows.length - 1)}`
}

/** A row stays one row, however wide the terminal draws an emoji: it wraps nothing meanwhile. */
function unwrapped(rows: readonly string[]): string {
  return rows.length === 0 ? '' : `\x1b[?7l${rows.join('\n')}\x1b[?7h`
}
