import { shortenText } from '@catenary/domain'

const SHOWN = 300
/** What a text may also be written in, beside single quotes. */
const OTHER_TEXTS = /\$[^\s\d]*\$|\\/

/**
 * The beginning of a statement without what stands in quotes, which may be what a person wrote; the first word alone where
 * that can't be told. It may have been cut anywhere.
 */
export function maskStatement(text: string): string {
  const bare = text.replaceAll(/\s+/g, ' ').trim()
  if (OTHER_TEXTS.test(bare)) return `${bare.split(' ', 1)[0]} …`
  const masked = bare.replaceAll(/'[^']*(?:'|$)/g, '‘…’')
  return shortenText(masked, SHOWN)
}
