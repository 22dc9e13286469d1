import { CircleUserRoundIcon, LogOutIcon } from 'lucide-react'
import { ThemeButton } from '../../components/theme-button.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { Hint } from '../../components/ui/tooltip.tsx'
import { useCanRegister } from '../../lib/instance.ts'
import { useSession } from '../../lib/session/session.tsx'
import { useLogOut } from './use-log-out.ts'

export interface UserBarProps {
  onLogIn: () => void
  onRegister: () => void
}

export function UserBar({ onLogIn, onRegister }: UserBarProps) {
  const { status, user } = useSession()
  const { logOut, isPending } = useLogOut()
  const canRegister = useCanRegister()
  if (status === 'loading') return <Skeleton className="h-9" />
  if (!user) {
    return (
      <div className="flex gap-2">
        <Button variant="secondary" onClick={onLogIn} className="flex-1">
          Log in
        </Button>
        {canRegister && (
          <Button onClick={onRegister} className="flex-1">
            Register
          </Button>
        )}
        <ThemeButton />
      </div>
    )
  }
  return (
    <div className="flex h-9 items-center gap-2 rounded-control border border-line bg-surface pr-1 pl-2.5 pointer-coarse:h-12">
      <CircleUserRoundIcon className="size-4 shrink-0 text-text-2" />
      <span dir="auto" className="min-w-0 flex-1 truncate text-sm font-medium" title={user.username}>
        {user.username}
      </span>
      <Hint text="Logout">
        <Button variant="ghost" size="sm" disabled={isPending} onClick={logOut} className="md:w-7 md:px-0">
          <LogOutIcon />
          <span className="md:sr-only">Logout</span>
        </Button>
      </Hint>
    </div>
  )
}
