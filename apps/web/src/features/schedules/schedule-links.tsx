import type { Chain } from '@catenary/contracts'
import { CalendarClockIcon, CalendarPlusIcon } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { part } from '../../components/part.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Hint } from '../../components/ui/tooltip.tsx'
import { useOpenItem } from '../../lib/open-item.ts'
import { useSession } from '../../lib/session/session.tsx'
import type { ScheduleFieldsProps } from './schedule-fields-props.ts'

const ScheduleRunDialog = part(() => import('./schedule-dialog.tsx'))

export interface ScheduleLinksProps {
  chain: Pick<Chain, 'id' | 'canExecute'> & ScheduleFieldsProps['chain']
  /** What a new schedule’s input begins with. */
  input: string
}

export function ScheduleLinks({ chain, input }: ScheduleLinksProps) {
  const { id, canExecute } = chain
  const [, navigate] = useLocation()
  const { user } = useSession()
  const { open, show } = useOpenItem('schedule')
  const schedule = (
    <Button
      variant="secondary"
      aria-label="Schedule Run"
      title="Schedule Run"
      aria-disabled={!canExecute || undefined}
      onClick={() => canExecute && show({ kind: 'create' })}
      className="max-md:size-11 max-md:px-0 max-[1440px]:px-2"
    >
      <CalendarPlusIcon className="xl:max-[1440px]:hidden" />
      <span className="max-xl:hidden">Schedule Run</span>
    </Button>
  )
  return (
    <>
      <Button variant="ghost" asChild className="max-md:size-11 max-md:px-0 max-[1440px]:px-2">
        <Link href={`/chains/${id}/scheduled`} aria-label="Scheduled Runs" title="Scheduled Runs">
          <CalendarClockIcon className="xl:max-[1440px]:hidden" />
          <span className="max-xl:hidden">Scheduled Runs</span>
        </Link>
      </Button>
      {canExecute ? schedule : <Hint text="You don't have permission to execute this chain">{schedule}</Hint>}
      {user && canExecute && open?.kind === 'create' && (
        <DialogSuspense>
          <ScheduleRunDialog
            chainId={id}
            chain={chain}
            schedule={null}
            input={input}
            userId={user.id}
            onShowAll={() => navigate(`/chains/${id}/scheduled`)}
            onClose={() => show(null)}
          />
        </DialogSuspense>
      )}
    </>
  )
}
