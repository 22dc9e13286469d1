const CHAIN_MODEL = /^(?:claude-)?chain-(\d{1,10})$/

/** The chain that a model's name means; undefined for any other name. */
export function chainOf(model: string): number | undefined {
  const [, id] = CHAIN_MODEL.exec(model) ?? []
  return id === undefined ? undefined : Number(id)
}

/** The names of a chain: one coding agent lists only those with 'claude' (D46). */
export const modelNamesOf = (chainId: number): string[] => [`chain-${chainId}`, `claude-chain-${chainId}`]
