import { useQuery } from '@tanstack/react-query'
import { LockIcon } from 'lucide-react'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { upgradeNoticeQuery, useDismissUpgradeNotice } from './admin.queries.ts'

/** Tells administrators, until one has read it, whose results others could read before the upgrade. */
export function UpgradeNotice() {
  const { data } = useQuery(upgradeNoticeQuery)
  const dismiss = useDismissUpgradeNotice()
  const count = data?.closedEvaluations ?? null
  if (count === null) return null
  return (
    <Banner
      role="status"
      icon={<LockIcon />}
      className="mb-5"
      action={
        <Button variant="secondary" size="sm" pending={dismiss.isPending} onClick={() => dismiss.mutate()}>
          Dismiss
        </Button>
      }
    >
      <strong className="font-semibold">
        {count === 1 ? 'One evaluation was' : `${count.toLocaleString('en')} evaluations were`} visible to
        others before this upgrade
      </strong>{' '}
      although private values of the person who started {count === 1 ? 'it' : 'them'} may stand in the
      results. From now on only that person sees these results.
    </Banner>
  )
}
