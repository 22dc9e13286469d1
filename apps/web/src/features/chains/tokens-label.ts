/** What a step's most tokens are called: the specification's word. */
export const TOKENS_LABEL = 'Token limit'
