import type { Chain } from '@catenary/contracts'
import { CalendarClockIcon, CalendarPlusIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/ui/button.tsx'
import { Hint } from '../../components/ui/tooltip.tsx'
import { useOpenItem } from '../../lib/open-item.ts'
import { useSession } from '../../lib/session/session.tsx'

export interface ScheduleLinksProps {
  chain: Pick<Chain, 'id' | 'canExecute'>
  /** The dialog that makes a schedule. */
  renderDialog: (props: { userId: number; onClose: () => void }) => ReactNode
}

/** Scheduled Runs and Schedule Run, on the page of a chain; by their icons alone where room is short. */
export function ScheduleLinks({ chain: { id, canExecute }, renderDialog }: ScheduleLinksProps) {
  const { user } = useSession()
  const { open, show } = useOpenItem('schedule')
  const schedule = (
    <Button
      variant="secondary"
      aria-label="Schedule Run"
      title="Schedule Run"
      aria-disabled={!canExecute || undefined}
      onClick={() => canExecute && show({ kind: 'create' })}
      className="max-md:size-11 max-md:px-0 max-xl:px-2"
    >
      <CalendarPlusIcon />
      <span className="max-xl:hidden">Schedule Run</span>
    </Button>
  )
  return (
    <>
      <Button variant="ghost" asChild className="max-md:size-11 max-md:px-0 max-[1400px]:px-2">
        <Link href={`/chains/${id}/scheduled`} aria-label="Scheduled Runs" title="Scheduled Runs">
          <CalendarClockIcon />
          <span className="max-[1400px]:hidden">Scheduled Runs</span>
        </Link>
      </Button>
      {canExecute ? schedule : <Hint text="You don't have permission to execute this chain">{schedule}</Hint>}
      {user && canExecute && open?.kind === 'create'
        ? renderDialog({ userId: user.id, onClose: () => show(null) })
        : null}
    </>
  )
}
