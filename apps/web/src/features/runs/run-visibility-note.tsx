import type { Chain } from '@catenary/contracts'
import { EyeIcon } from 'lucide-react'
import { useSession } from '../../lib/session/session.tsx'

export type RunVisibility = Pick<Chain, 'owner' | 'sharedLevel' | 'runsVisibleTo'>

export function RunVisibilityNote({
  chain: { owner, sharedLevel, runsVisibleTo },
}: {
  chain: RunVisibility
}) {
  const { user } = useSession()
  if (user?.username === owner || sharedLevel === 'public' || runsVisibleTo === 'runner') return null
  return (
    <p className="flex gap-1.5 px-1 text-xs text-text-3">
      <EyeIcon className="mt-px size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {owner} and this chain’s editors can see your runs. Of runs that may use your private variables they
        only see that they exist, unless you share them.
      </span>
    </p>
  )
}
