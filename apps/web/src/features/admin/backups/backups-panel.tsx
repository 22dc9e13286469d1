import type { BackupsState } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ArchiveIcon, DownloadIcon, FileCheckIcon, MoonIcon, ShieldOffIcon } from 'lucide-react'
import { ErrorState } from '../../../components/error-state.tsx'
import { LearnMore } from '../../../components/learn-more.tsx'
import { SettingsPanel } from '../../../components/settings-panel.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { useFreshNotices, useIsQuiet } from '../notices.queries.ts'
import { backupsQuery, fileOf, useBackUpNow } from './backups.queries.ts'
import { CopiesCard } from './copies-card.tsx'
import { KeyCard, PlaceCard } from './place-cards.tsx'
import { ProvenCard } from './proven-card.tsx'
import { Sentence } from './sentence.tsx'
import { SizeCard } from './size-card.tsx'
import { Storage } from './storage.tsx'
import { useVerifyCopy } from './use-verify-copy.ts'

export default function BackupsPanel() {
  const { data, error, refetch } = useQuery(backupsQuery)
  const isQuiet = useIsQuiet()
  useFreshNotices(data?.underWay)
  return (
    <SettingsPanel
      title="Backups"
      isWide
      description={
        <>
          Every night Catenary copies the whole database and tests that the copy can be restored.{' '}
          <LearnMore about="backups" className="pointer-coarse:-my-3" />
        </>
      }
      action={data?.place && <Actions state={data} isQuiet={isQuiet} />}
    >
      {data ? (
        <>
          {isQuiet && <Quiet />}
          <Backups state={data} isQuiet={isQuiet} />
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : (
        <Loading />
      )}
      <div className="max-w-[640px]">
        <Storage />
      </div>
    </SettingsPanel>
  )
}

function Quiet() {
  return (
    <Banner icon={<MoonIcon />}>
      This restored copy makes no backups until you resume its work and restart Catenary.
    </Banner>
  )
}

const UNDER_WAY = { copy: 'Backing up', drill: 'Testing a copy' }

interface StateProps {
  state: BackupsState
  /** Nothing is made or tried. */
  isQuiet: boolean
}

function Actions({ state: { copies, underWay }, isQuiet }: StateProps) {
  const backUp = useBackUpNow()
  const { verify, isPending } = useVerifyCopy()
  const newest = copies.find(({ state }) => state === 'kept')
  const isBusy = backUp.isPending || underWay !== null
  return (
    <div className="flex flex-wrap gap-2">
      {newest && (
        <>
          <Button
            variant="secondary"
            className="max-sm:hidden"
            pending={isPending}
            onClick={() => verify(newest.id)}
          >
            {!isPending && <FileCheckIcon />}
            Verify<span className="sr-only"> the newest copy</span>
          </Button>
          <Button asChild variant="secondary" className="max-sm:hidden">
            <a href={fileOf(newest.id)} download={newest.name ?? ''}>
              <DownloadIcon />
              Download<span className="sr-only"> the newest copy</span>
            </a>
          </Button>
        </>
      )}
      <Button pending={isBusy} disabled={isQuiet} onClick={() => backUp.mutate()}>
        {!isBusy && <ArchiveIcon />}
        {underWay === null ? 'Back up now' : UNDER_WAY[underWay]}
      </Button>
    </div>
  )
}

function Backups({ state, isQuiet }: StateProps) {
  if (state.place === null) {
    return (
      <div className="grid gap-3">
        <NoPlace />
        <KeyCard fingerprint={state.keyFingerprint} />
      </div>
    )
  }
  return (
    <div className="@container">
      <div className="grid gap-3">
        <ProvenCard state={state} />
        <div className="grid items-start gap-3 @min-[900px]:grid-cols-[minmax(0,1fr)_256px]">
          <CopiesCard state={state} isQuiet={isQuiet} />
          <div className="grid min-w-0 gap-3">
            <SizeCard state={state} />
            <PlaceCard state={state} />
            <KeyCard fingerprint={state.keyFingerprint} />
          </div>
        </div>
      </div>
    </div>
  )
}

/** With a PostgreSQL of one's own nothing is copied until someone says where to. */
function NoPlace() {
  return (
    <section aria-label="Proof" className="grid gap-3 rounded-card border border-line p-5 max-sm:p-4">
      <Sentence icon={<ShieldOffIcon />} tone="warn" title="Catenary isn’t backing anything up">
        No backup folder is set for this PostgreSQL database. Set one that every process can reach and restart
        Catenary, or use the server’s own backup tools.
      </Sentence>
      <pre className="overflow-x-auto rounded-control bg-inset px-3 py-2 text-sm">
        <code>BACKUP_DIR=/mnt/backups</code>
      </pre>
    </section>
  )
}

/** As tall as what comes. */
function Loading() {
  return (
    <div className="grid gap-3">
      <Skeleton className="h-43" />
      <Skeleton className="h-80" />
    </div>
  )
}
