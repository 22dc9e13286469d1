import type { BackupsState } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ArchiveIcon, FolderXIcon } from 'lucide-react'
import { ErrorState } from '../../../components/error-state.tsx'
import { LearnMore } from '../../../components/learn-more.tsx'
import { SettingsPanel } from '../../../components/settings-panel.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { backupsQuery, useBackUpNow } from './backups.queries.ts'
import { CopiesCard } from './copies-card.tsx'
import { KeyCard, PlaceCard } from './place-cards.tsx'
import { ProvenCard } from './proven-card.tsx'
import { SizeCard } from './size-card.tsx'

/** The copies of the whole database, and whether they can be restored. */
export function BackupsPanel() {
  const { data, error, refetch } = useQuery(backupsQuery)
  return (
    <SettingsPanel
      title="Backups"
      description={
        <>
          Each night the whole database is copied, and the copy is restored on trial.{' '}
          <LearnMore about="backups" />
        </>
      }
      action={data?.place && <BackUpNow state={data} />}
    >
      {data ? (
        <Backups state={data} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : (
        <Skeleton className="h-80" />
      )}
    </SettingsPanel>
  )
}

function BackUpNow({ state: { underWay } }: { state: BackupsState }) {
  const backUp = useBackUpNow()
  const isCopied = underWay === 'copy'
  return (
    <Button
      pending={backUp.isPending || isCopied}
      disabled={underWay === 'drill'}
      onClick={() => backUp.mutate()}
    >
      {!(backUp.isPending || isCopied) && <ArchiveIcon />}
      {isCopied ? 'Backing up' : 'Back up now'}
    </Button>
  )
}

function Backups({ state }: { state: BackupsState }) {
  return (
    <div className="@container">
      <div className="grid gap-3">
        {state.place === null ? <NoPlace /> : <ProvenCard state={state} />}
        {state.place && state.place.problem !== null && (
          <Banner variant="danger" role="alert" icon={<FolderXIcon />}>
            <strong className="font-semibold">The folder of the copies can’t be used.</strong>{' '}
            {state.place.problem}
          </Banner>
        )}
        <div className="grid items-start gap-3 @min-[880px]:grid-cols-[minmax(0,1fr)_264px]">
          {state.place && <CopiesCard state={state} />}
          <div className="grid gap-3">
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
    <Banner role="status" icon={<FolderXIcon />}>
      <strong className="font-semibold">Nothing is backed up by Catenary.</strong> The database is a
      PostgreSQL server, and BACKUP_DIR is not set. Set it to a folder, best on another disk, and start
      Catenary again: from then on a copy is made and tried each night. Or back the server up with its own
      tools.
    </Banner>
  )
}
