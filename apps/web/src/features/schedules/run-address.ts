/** Where a run of a chain is shown: the history with the run open in it. */
export function runAddress({ chainId, executionId }: { chainId: number; executionId: number }): string {
  return `/chains/${chainId}?history=open&run=${executionId}`
}
