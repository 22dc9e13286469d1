const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Strings that go on for longer are searched for their end, which is slower to begin. */
const LOOKED_AT = 64

const NOTHING = 0
const OPENS = 1
const CLOSES = 2
const SEPARATES = 3
const BEGINS_TEXT = 4
const BLANK = 5
const ROLES = new Uint8Array(256)
for (const [characters, role] of [
  ['{[', OPENS],
  ['}]', CLOSES],
  [',', SEPARATES],
  ['"', BEGINS_TEXT],
  [' \t\n\r', BLANK],
] as const) {
  for (const character of characters) ROLES[character.charCodeAt(0)] = role
}

interface Bounds {
  values: number
  depth: number
}

/**
 * Which bound a text of JSON exceeds, found in its bytes: a text of wrong values costs far more once it is parsed. What
 * is no JSON is counted in some way, for the parser to refuse.
 */
export function exceededBound(bytes: Buffer, { values, depth }: Bounds): keyof Bounds | undefined {
  let count = 1
  let level = 0
  let last = NOTHING
  for (let at = 0; at < bytes.length; at += 1) {
    const role = ROLES[bytes[at] as number] as number
    if (role === BLANK || role === NOTHING) {
      if (role === NOTHING) last = NOTHING
      at = endOfRun(bytes, at)
      continue
    }
    if (role === BEGINS_TEXT) at = endOfText(bytes, at + 1)
    else if (role === OPENS) {
      count += 1
      level += 1
      if (level > depth) return 'depth'
    } else if (role === CLOSES) {
      // What is empty holds no value.
      if (last === OPENS) count -= 1
      level -= 1
    } else if (role === SEPARATES) count += 1
    if (count > values && role !== OPENS) return 'values'
    last = role
  }
  return count > values ? 'values' : undefined
}

/** The last of the bytes from here on that have the same role: a loop that does nothing else passes them at once. */
function endOfRun(bytes: Buffer, from: number): number {
  const role = ROLES[bytes[from] as number]
  let at = from + 1
  while (at < bytes.length && ROLES[bytes[at] as number] === role) at += 1
  return at - 1
}

function endOfText(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length) {
    at = markIn(bytes, at)
    if (bytes[at] === QUOTE) return at
    if (bytes[at] === BACKSLASH) {
      at += 2
      continue
    }
    const quote = bytes.indexOf(QUOTE, at)
    if (quote === -1) return bytes.length
    // Whether the quote is escaped is seen from before the backslashes that it follows.
    at = startOfEscapes(bytes, quote)
  }
  return at
}

/** Where the next quote or backslash stands; or, where none is near, how far was looked. */
function markIn(bytes: Buffer, from: number): number {
  const until = Math.min(bytes.length, from + LOOKED_AT)
  let at = from
  while (at < until && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at += 1
  return at
}

function startOfEscapes(bytes: Buffer, quote: number): number {
  let at = quote
  while (bytes[at - 1] === BACKSLASH) at -= 1
  return at
}
