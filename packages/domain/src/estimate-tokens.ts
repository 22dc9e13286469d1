export interface TextSize {
  characters: number
  tokens: number
}

/** Between the 3.5 and 4 characters a token that the model vendors name for English. */
const CHARACTERS_PER_TOKEN = 3.8
/** From here on (Chinese, Japanese, Korean, emoji) a character is about one token. */
const FIRST_DENSE_CODE_POINT = 0x2e80

export function estimateTokens(text: string): TextSize {
  let characters = 0
  let dense = 0
  for (const character of text) {
    characters += 1
    if ((character.codePointAt(0) ?? 0) >= FIRST_DENSE_CODE_POINT) dense += 1
  }
  return { characters, tokens: dense + Math.ceil((characters - dense) / CHARACTERS_PER_TOKEN) }
}

/** Tokens from which Anthropic and OpenAI cache what requests begin with alike. */
const CACHED_FROM_TOKENS = 1_024
/** Each character is a quarter of a token at least: so many are enough to tell. */
const CACHED_FROM_CHARACTERS = 4 * CACHED_FROM_TOKENS

export function isCacheable(...texts: string[]): boolean {
  const beginning = texts.map((text) => text.slice(0, CACHED_FROM_CHARACTERS)).join('')
  return estimateTokens(beginning.slice(0, CACHED_FROM_CHARACTERS)).tokens >= CACHED_FROM_TOKENS
}

const count = new Intl.NumberFormat('en-US')

/** The line below an editor: `182 characters · about 48 tokens`. */
export function formatTextSize({ characters, tokens }: TextSize): string {
  return `${pluralize(characters, 'character')} · about ${pluralize(tokens, 'token')}`
}

function pluralize(amount: number, noun: string): string {
  return `${count.format(amount)} ${noun}${amount === 1 ? '' : 's'}`
}
