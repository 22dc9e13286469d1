import { GlobeIcon, LockIcon, UsersIcon } from 'lucide-react'
import { cn } from '../../../lib/utils.ts'

export interface VisibilityProps {
  isPublic: boolean
  isShared?: boolean
  iconOnly?: boolean
}

export function Visibility({ isPublic, isShared = false, iconOnly = false }: VisibilityProps) {
  const Icon = isPublic ? GlobeIcon : LockIcon
  return (
    <span className="flex shrink-0 items-center gap-1.5 whitespace-nowrap [&_svg]:size-3.5">
      <Icon />
      <span className={cn(iconOnly && 'sr-only')}>{isPublic ? 'Public' : 'Private'}</span>
      {isShared && (
        <span title="Shared with people or groups" className="z-1">
          <UsersIcon />
          <span className="sr-only">, shared with people or groups</span>
        </span>
      )}
    </span>
  )
}
