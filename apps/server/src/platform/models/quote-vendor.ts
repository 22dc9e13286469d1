const QUOTED_LENGTH = 200
/** Shorter parts of a key are words of any language. */
const PART_OF_KEY_LENGTH = 8
/** Keys of vendors, and what vendors write of one that they hide the middle of. */
const KEY_LIKE = [
  /\b(sk|gsk|xai|pplx|hf|r8|key|AIza|AQ)[-_.]?[\w.*…-]{16,}/g,
  /\b(sk-|AIza|Bearer\s+)[\w.*…-]+/g,
  /[\w-]*\*{2,}[\w-]*/g,
]

/** The vendor's own sentence: short, one line, without the key or anything like one. */
export function quoteVendor({ message, apiKey }: { message: string; apiKey: string }): string {
  const keys =
    apiKey === '' ? [] : [apiKey, encodeURIComponent(apiKey), Buffer.from(apiKey).toString('base64')]
  const whole = keys.reduce((text, key) => text.replaceAll(key, '[key]'), message)
  const parts = whole.replace(/[\w-]+/g, (word) =>
    word.length >= PART_OF_KEY_LENGTH && apiKey.includes(word) ? '[key]' : word,
  )
  return KEY_LIKE.reduce((text, like) => text.replace(like, '[key]'), parts)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, QUOTED_LENGTH)
}
