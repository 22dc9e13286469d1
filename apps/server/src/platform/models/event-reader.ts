/** Takes the text of an event stream apart. */
export interface EventReader {
  /** Gives the data of each event that ends in this piece of the stream. */
  read(text: string): string[]
  /** How many characters wait for the end of their event. */
  held(): number
}

/** Reads server-sent events for their data alone: names, ids and comments say nothing more here. */
export function createEventReader(): EventReader {
  let line = ''
  let data: string | undefined

  function endLine(text: string, ended: string[]): void {
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text
    if (whole.startsWith('data:')) {
      const value = whole.slice(whole[5] === ' ' ? 6 : 5)
      data = data === undefined ? value : `${data}\n${value}`
    } else if (whole === '' && data !== undefined) {
      ended.push(data)
      data = undefined
    }
  }

  return {
    held: () => line.length + (data?.length ?? 0),
    read(text) {
      const ended: string[] = []
      let from = 0
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
        endLine(line + text.slice(from, at), ended)
        line = ''
        from = at + 1
      }
      line += text.slice(from)
      return ended
    },
  }
}
