import type { NamedBy, Prompt, ShareRole } from '@catenary/contracts'

type StoredPrompt = Omit<Prompt, 'canEdit' | 'canDelete' | 'canExecute' | 'othersNames'> & {
  ownerId: number
  namedBy: NamedBy
}

/** A prompt as stored, and the viewer's role in its shares. */
export interface PromptRecord extends StoredPrompt {
  shareRole: ShareRole | null
}

/** The same for any viewer. */
export interface PromptWithShares extends Omit<StoredPrompt, 'isShared'> {
  shares: { userId: number; role: ShareRole }[]
}

/** The prompt as that viewer has it. */
export function recordFor(
  { shares, ...prompt }: PromptWithShares,
  viewerId: number | undefined,
): PromptRecord {
  const own = shares.find(({ userId }) => userId === viewerId)
  return { ...prompt, isShared: shares.length > 0, shareRole: own?.role ?? null }
}
