import { GlobeIcon, LockIcon } from 'lucide-react'

/** 'Public' or 'Private', with its icon. */
export function Visibility({ isPublic }: { isPublic: boolean }) {
  const Icon = isPublic ? GlobeIcon : LockIcon
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap">
      <Icon className="size-3.5" />
      {isPublic ? 'Public' : 'Private'}
    </span>
  )
}
