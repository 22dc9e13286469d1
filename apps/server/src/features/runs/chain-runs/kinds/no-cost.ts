/** What is kept of an item that asked no model. */
export const NO_COST = { inputTokens: 0, outputTokens: 0, cachedTokens: null, costNanos: 0, savedNanos: null }
