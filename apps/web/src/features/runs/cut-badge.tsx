import type { FinishReason } from '@catenary/contracts'
import { ScissorsIcon } from 'lucide-react'
import { Badge } from '../../components/ui/badge.tsx'

interface Ended {
  finishReason?: FinishReason | null | undefined
}

const WORDS: Partial<Record<FinishReason, { says: string; why: string }>> = {
  length: { says: 'cut at the token limit', why: 'The model reached its token limit before it finished' },
  unknown: {
    says: 'may be cut off',
    why: 'The provider ended the answer for an unknown reason',
  },
}
const wordsOf = (ended: Ended | null | undefined) => WORDS[ended?.finishReason ?? 'stop']

/** That an answer is incomplete, or may be; undefined: it is whole. */
export const cutWords = (ended: Ended | null | undefined): string | undefined => wordsOf(ended)?.says

export function CutBadge({ ended }: { ended: Ended | null | undefined }) {
  const words = wordsOf(ended)
  if (words === undefined) return null
  return (
    <Badge variant="warn" title={words.why}>
      <ScissorsIcon />
      {words.says}
    </Badge>
  )
}
