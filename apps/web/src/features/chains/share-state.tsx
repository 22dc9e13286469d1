import type { Chain, SharedLevel } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { GlobeIcon, LockIcon, type LucideIcon, UsersIcon } from 'lucide-react'
import { Badge } from '../../components/ui/badge.tsx'
import { sharesQuery } from '../records/shares/shares.queries.ts'

export const VISIBILITIES: Record<SharedLevel, { label: string; description: string; Icon: LucideIcon }> = {
  private: { label: 'Private', description: 'only you', Icon: LockIcon },
  shared: { label: 'Shared', description: 'specific users', Icon: UsersIcon },
  public: { label: 'Public', description: 'everyone', Icon: GlobeIcon },
}

export function VisibilityBadge({ level, label }: { level: SharedLevel; label?: string }) {
  const { label: usual, Icon } = VISIBILITIES[level]
  return (
    <Badge>
      <Icon />
      {label ?? usual}
    </Badge>
  )
}

export function ShareState({ chain }: { chain: Chain }) {
  const isShared = chain.sharedLevel === 'shared'
  const { data: shares } = useQuery({
    ...sharesQuery({ kind: 'chain', id: chain.id }),
    enabled: isShared && chain.canEdit,
  })
  return isShared && shares ? (
    <VisibilityBadge level="shared" label={`Shared with ${shares.length}`} />
  ) : (
    <VisibilityBadge level={chain.sharedLevel} />
  )
}
