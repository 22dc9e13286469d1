import { VALUE_NAME } from '@catenary/contracts'

const NAME_LENGTH_MAX = 50

/** Which names the variables of one prompt have here: two that were apart stay apart. */
export interface Names {
  of: (foreign: string) => { name: string; taken: string | undefined } | undefined
}

const PLAIN =
  /\{\{\{?[-~]?\s*([A-Za-z0-9_]{1,50})\s*[-~]?\}?\}\}|\$<([A-Za-z0-9_]{1,50})>|\$\{([A-Za-z0-9_]{1,50})[:}]/g

export function createNames(texts: Iterable<string>): Names {
  const used = new Set<string>()
  for (const text of texts) {
    for (const match of text.matchAll(PLAIN)) used.add(match[1] ?? match[2] ?? match[3] ?? '')
  }
  const numbers = new Map<string, number>()
  const given = new Map<string, { name: string; taken: string | undefined }>()
  return {
    of(foreign) {
      const before = given.get(foreign)
      if (before !== undefined) return before
      const plain = plainName(foreign)
      if (plain === undefined) return undefined
      const name = freeName(plain, { used, numbers })
      used.add(name)
      const found = { name, taken: name === plain ? undefined : plain }
      given.set(foreign, found)
      return found
    },
  }
}

/** Counts on from the last number used for the name, so that many equal names take no longer than different ones. */
function freeName(
  plain: string,
  { used, numbers }: { used: ReadonlySet<string>; numbers: Map<string, number> },
): string {
  for (let number = numbers.get(plain) ?? 1; ; number += 1) {
    const end = number === 1 ? '' : `_${number}`
    const name = `${plain.slice(0, NAME_LENGTH_MAX - end.length)}${end}`
    if (used.has(name)) continue
    numbers.set(plain, number + 1)
    return name
  }
}

/** Letters that are no letter with a mark. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  ø: 'o',
  Ø: 'O',
  œ: 'oe',
  ł: 'l',
  Ł: 'L',
  ı: 'i',
  đ: 'd',
  Đ: 'D',
}

/** `customer-name`, `customer.name` and `Größe x` as a name. */
function plainName(name: string): string | undefined {
  if (!/^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_ .-]*$/u.test(name)) return undefined
  const plain = name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ßæÆøØœłŁıđĐ]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, NAME_LENGTH_MAX)
  return VALUE_NAME.test(plain) ? plain : undefined
}

export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) yield* textsIn(each)
  }
}
