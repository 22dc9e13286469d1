/** Where a run of a chain is shown: on its steps, beside the history. */
export function runAddress({ chainId, executionId }: { chainId: number; executionId: number }): string {
  return `/chains/${chainId}?history=open&run=${executionId}`
}
