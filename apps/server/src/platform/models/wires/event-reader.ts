export interface EventReader {
  read(text: string): string[]
  /** Gives what stands after the last whole event: some servers leave its end out. */
  end(): string[]
  held(): number
}

/** Reads server-sent events for their data alone: names, ids and comments say nothing more here. */
export function createEventReader(): EventReader {
  let line = ''
  let data: string | undefined
  let endedInReturn = false

  function endLine(whole: string, ended: string[]): void {
    if (whole.startsWith('data:')) {
      const value = whole.slice(whole[5] === ' ' ? 6 : 5)
      data = data === undefined ? value : `${data}\n${value}`
    } else if (whole === '' && data !== undefined) {
      ended.push(data)
      data = undefined
    }
  }

  /** A line ends with a line feed, a carriage return, or both, which may come apart. */
  function withLineFeeds(text: string): string {
    const rest = endedInReturn && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') endedInReturn = text.endsWith('\r')
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest
  }

  function read(piece: string): string[] {
    const text = withLineFeeds(piece)
    const ended: string[] = []
    let from = 0
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      endLine(line + text.slice(from, at), ended)
      line = ''
      from = at + 1
    }
    line += text.slice(from)
    return ended
  }

  return { read, end: () => read('\n\n'), held: () => line.length + (data?.length ?? 0) }
}
