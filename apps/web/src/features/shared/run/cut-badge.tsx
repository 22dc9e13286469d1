import { ScissorsIcon } from 'lucide-react'
import { Badge } from '../../../components/ui/badge.tsx'

export const CUT = 'cut at the token limit'

/** Says that an answer is incomplete because the model stopped at a limit. */
export function CutBadge({ isCut }: { isCut: boolean }) {
  if (!isCut) return null
  return (
    <Badge variant="warn" title="The model reached its token limit before it finished">
      <ScissorsIcon />
      {CUT}
    </Badge>
  )
}
