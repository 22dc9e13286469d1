import { shortenText } from '@catenary/domain'

const SHOWN = 300
/** What a text may also be written in, beside single quotes. */
const OTHER_TEXTS = /\$[^\s\d]*\$|\\/

/**
 * The beginning of a statement without quoted parts, which a person may have written; only its first word where
 * quotes can't be told. It may be cut anywhere.
 */
export function maskStatement(text: string): string {
  const bare = text.replaceAll(/\s+/g, ' ').trim()
  if (OTHER_TEXTS.test(bare)) return `${bare.split(' ', 1)[0]} …`
  const masked = bare.replaceAll(/'[^']*(?:'|$)/g, '‘…’')
  return shortenText(masked, SHOWN)
}
