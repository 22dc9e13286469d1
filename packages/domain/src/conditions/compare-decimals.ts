const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/
/** More digits, or a larger exponent, is no number that anybody compares. */
const LENGTH_MAX = 1_000

interface Decimal {
  /** Its digits without the point, with its sign. */
  digits: bigint
  /** How many of them stand after the point; below zero where zeros follow. */
  scale: number
}

/** -1, 0 or 1, digit by digit (D70); undefined where one of them is no number. White space around is left out. */
export function compareDecimals(left: string, right: string): -1 | 0 | 1 | undefined {
  const [one, other] = [readDecimal(left), readDecimal(right)]
  if (one === undefined || other === undefined) return undefined
  const scale = Math.max(one.scale, other.scale)
  const [a, b] = [atScale(one, scale), atScale(other, scale)]
  return a === b ? 0 : a < b ? -1 : 1
}

function readDecimal(text: string): Decimal | undefined {
  const trimmed = text.trim()
  if (trimmed.length > LENGTH_MAX) return undefined
  const [, sign, whole = '', part = '', exponent = '0'] = DECIMAL.exec(trimmed) ?? []
  if (sign === undefined || `${whole}${part}` === '') return undefined
  return {
    digits: BigInt(`${sign === '-' ? '-' : ''}${whole}${part}`),
    scale: part.length - Number(exponent),
  }
}

const atScale = ({ digits, scale }: Decimal, wanted: number) => digits * 10n ** BigInt(wanted - scale)
