const OPENS = '<think>'
const CLOSES = '</think>'

interface ThoughtStripper {
  take(piece: string): string
  /** What was held back for an end of thoughts that never came: it is all there is. */
  end(): string
  held(): number
}

/** Of one leading `<think>…</think>` and the empty lines around it nothing is left. Linear. */
export function createThoughtStripper(): ThoughtStripper {
  let state: 'before' | 'within' | 'after' | 'answer' = 'before'
  let held = ''
  let searched = 0

  function take(piece: string): string {
    if (state === 'answer') return piece
    if (state === 'after') return begin(piece)
    held += piece
    if (state === 'before') {
      const said = held.trimStart()
      if (OPENS.startsWith(said.slice(0, OPENS.length)) && said.length < OPENS.length) return ''
      if (!said.startsWith(OPENS)) return give()
      state = 'within'
    }
    const at = held.indexOf(CLOSES, searched)
    searched = Math.max(0, held.length - CLOSES.length)
    if (at < 0) return ''
    const rest = held.slice(at + CLOSES.length)
    held = ''
    state = 'after'
    return begin(rest)
  }

  /** The empty lines between thoughts and answer belong to neither. */
  function begin(text: string): string {
    const rest = text.trimStart()
    if (rest !== '') state = 'answer'
    return rest
  }

  function give(): string {
    const all = held
    held = ''
    state = 'answer'
    return all
  }

  return { take, end: give, held: () => held.length }
}
