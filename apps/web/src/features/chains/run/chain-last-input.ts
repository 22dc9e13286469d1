const PREFIX = 'catenary.chain-input.'

interface InputOwner {
  userId: number
  chainId: number
}

export function readLastInput({ userId, chainId }: InputOwner): string {
  try {
    return localStorage.getItem(`${PREFIX}${userId}.${chainId}`) ?? ''
  } catch {
    return ''
  }
}

export function keepLastInput({ userId, chainId, input }: InputOwner & { input: string }): void {
  try {
    localStorage.setItem(`${PREFIX}${userId}.${chainId}`, input)
  } catch {
    // No room, or storage is refused: the field begins empty next time.
  }
}
