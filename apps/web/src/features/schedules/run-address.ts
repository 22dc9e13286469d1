export function runAddress({ chainId, executionId }: { chainId: number; executionId: number }): string {
  return `/chains/${chainId}?history=open&run=${executionId}`
}
