export const TOKENS_LABEL = 'Token limit'
