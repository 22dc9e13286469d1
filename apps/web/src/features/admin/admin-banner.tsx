import type { AdminNotices, PendingWork } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { MoonIcon, ShieldAlertIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Time } from '../../components/time/time.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { countText } from '../../lib/text/count-text.ts'
import { toast } from '../../lib/toast.ts'
import { cn } from '../../lib/utils.ts'
import { noticesQuery, useResumeWork } from './notices.queries.ts'

export function AdminBanner({ onOpenBackups }: { onOpenBackups: () => void }) {
  const { isAdmin } = useSession()
  const { data } = useQuery({ ...noticesQuery, enabled: isAdmin })
  if (!isAdmin || !data) return null
  return (
    <>
      {data.quiet && <QuietBanner quiet={data.quiet} />}
      {data.awaitsStart && <AwaitsStartBanner />}
      {data.backup && <BackupBanner backup={data.backup} onOpen={onOpenBackups} />}
    </>
  )
}

function QuietBanner({ quiet: { since, pending } }: { quiet: NonNullable<AdminNotices['quiet']> }) {
  const resume = useResumeWork()
  const resumeNow = () =>
    resume.mutate(undefined, {
      onSuccess: () => toast({ title: 'Work will resume', description: 'Restart Catenary to continue.' }),
    })
  return (
    <Notice label="Restored copy">
      <Banner
        shape="bar"
        icon={<MoonIcon />}
        className="max-md:px-4"
        action={
          <Button
            variant="link"
            className="font-medium text-warn underline"
            pending={resume.isPending}
            onClick={resumeNow}
          >
            Resume work
          </Button>
        }
      >
        This copy was restored <Time time={since} /> and is quiet: the sandbox answers, nothing is sent out,
        and {describePending(pending)} wait.
      </Banner>
    </Notice>
  )
}

/** A program that was built without a way out gets one only at its next start. */
function AwaitsStartBanner() {
  return (
    <Notice label="Restored copy">
      <Banner shape="bar" icon={<MoonIcon />} className="max-md:px-4">
        Work will resume after the next restart. Until then the sandbox answers and nothing is sent out.
      </Banner>
    </Notice>
  )
}

function describePending({ schedules, mails, jobs, runs }: PendingWork): string {
  const parts = [countText(schedules, 'schedule'), countText(mails, 'mail'), countText(jobs, 'job')]
  return `${parts.join(', ')} and ${countText(runs, 'run')}`
}

type BackupNotice = NonNullable<AdminNotices['backup']>

const FAILURES: Record<BackupNotice['what'], string> = {
  drill: 'The last backup failed its test restore',
  copy: 'The last backup failed',
  late: 'No backup has been proven for two days',
}

function BackupBanner({
  backup: { what, at, problem },
  onOpen,
}: {
  backup: BackupNotice
  onOpen: () => void
}) {
  const isGrave = what === 'drill'
  return (
    <Notice label="Failed backup">
      <Banner
        shape="bar"
        variant={isGrave ? 'danger' : 'warn'}
        role="alert"
        icon={<ShieldAlertIcon />}
        className="max-md:px-4"
        action={
          <Button
            variant="link"
            className={cn('font-medium underline', isGrave ? 'text-danger' : 'text-warn')}
            onClick={onOpen}
          >
            Backups
          </Button>
        }
      >
        <strong className="font-semibold">{FAILURES[what]}</strong>, {what === 'late' && 'since '}
        <Time time={at} />: {problem}
      </Banner>
    </Notice>
  )
}

function Notice({ label, children }: { label: string; children: ReactNode }) {
  return <aside aria-label={label}>{children}</aside>
}
