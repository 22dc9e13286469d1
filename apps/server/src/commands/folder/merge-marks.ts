import { diff } from 'node:util'

/** As Git marks what it could not merge, so that its tools and editors know it. */
const OURS = '<<<<<<< folder'
const BETWEEN = '======='
const THEIRS = '>>>>>>> server'
const MARK = /^(<<<<<<< folder|>>>>>>> server)$/m
const LINES_MAX = 2_000

export function withMarks(ours: string, theirs: string): string {
  const [here, there] = [ours.split('\n'), theirs.split('\n')]
  const marked = (own: readonly string[], other: readonly string[]) => [
    OURS,
    ...own,
    BETWEEN,
    ...other,
    THEIRS,
  ]
  if (here.length > LINES_MAX || there.length > LINES_MAX) return `${marked(here, there).join('\n')}\n`
  const lines: string[] = []
  const [own, other]: [string[], string[]] = [[], []]
  const close = () => {
    if (own.length + other.length > 0) lines.push(...marked(own, other))
    own.length = 0
    other.length = 0
  }
  for (const [change, line] of diff(here, there)) {
    // Node counts from the other side: 1 is what only the first has.
    if (change === 1) own.push(line)
    else if (change === -1) other.push(line)
    else {
      close()
      lines.push(line)
    }
  }
  close()
  return lines.join('\n')
}

export const hasMarks = (text: string): boolean => MARK.test(text)
