const PREFIX = 'catenary.chain-input.'

interface InputOwner {
  userId: number
  chainId: number
}

/** The last input that this person gave the chain, on this device. */
export function readLastInput({ userId, chainId }: InputOwner): string {
  try {
    return localStorage.getItem(`${PREFIX}${userId}.${chainId}`) ?? ''
  } catch {
    return ''
  }
}

/** Remembers it for the next time. */
export function keepLastInput({ userId, chainId, input }: InputOwner & { input: string }): void {
  try {
    localStorage.setItem(`${PREFIX}${userId}.${chainId}`, input)
  } catch {
    // No room, or storage is refused: the field begins empty next time.
  }
}
