import type { DriveStatus } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { CircleAlertIcon, HardDriveIcon, KeyRoundIcon, UnplugIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { FocusTarget } from '../../../components/focus-target.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast, toastFailure } from '../../../lib/toast.ts'
import { cn } from '../../../lib/utils.ts'
import { ByName } from '../../accounts/by-name.tsx'
import type { VariableForm } from '../variable-fields.tsx'
import { CacheTimeSelect } from './cache-time-select.tsx'
import { driveStatusQuery, useDisconnectDrive } from './google-drive.queries.ts'
import { useDriveWindows } from './use-drive-windows.ts'

export function GoogleDriveField({ form }: { form: UseFormReturn<VariableForm> }) {
  const { data: status, error, refetch } = useQuery(driveStatusQuery)
  const disconnect = useDisconnectDrive()
  const fileId = form.watch('googleDriveFileId')
  const fileName = form.watch('googleDriveFileName')
  const problem = form.formState.errors.googleDriveFileId?.message
  const windows = useDriveWindows({
    onConnected: () => void refetch(),
    onPicked: ({ id, name, mimeType }) => {
      const shouldDirty = true
      form.setValue('googleDriveFileId', id, { shouldDirty, shouldValidate: form.formState.isSubmitted })
      form.setValue('googleDriveFileName', name, { shouldDirty })
      form.setValue('googleDriveMimeType', mimeType, { shouldDirty })
    },
  })
  const pick = () => {
    if (windows.openPicker()) return
    const description = 'Failed to open Google Drive picker.'
    toast({ title: 'Error', description, variant: 'destructive' })
  }
  const cut = () =>
    disconnect.mutate(undefined, { onError: toastFailure('Authentication Error', errorReason) })
  return (
    <>
      <Field label="Google Drive file" error={problem}>
        <Controller
          control={form.control}
          name="googleDriveFileId"
          render={({ field: { ref } }) => (
            <FocusTarget ref={ref} selector="button">
              <div className="flex min-w-0 items-center gap-x-3 gap-y-2 rounded-control border border-line p-3 text-sm max-sm:flex-wrap">
                <HardDriveIcon className="size-5 shrink-0 text-text-3" />
                <p
                  className={cn('min-w-0 flex-1 max-sm:basis-56', fileId === '' ? 'text-text-2' : 'truncate')}
                >
                  {fileId === '' ? 'No file chosen' : `Google Drive file: ${fileName || 'Loading...'}`}
                </p>
                {status?.authenticated && (
                  <Button variant="secondary" size="sm" onClick={pick} className="max-sm:ml-8">
                    {fileId === '' ? 'Choose a file' : 'Choose another'}
                  </Button>
                )}
              </div>
            </FocusTarget>
          )}
        />
      </Field>
      {error && (
        <Banner
          variant="danger"
          role="alert"
          icon={<CircleAlertIcon />}
          action={
            <Button variant="link" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          <strong className="font-semibold">Authentication Error</strong> {errorReason(error)}
        </Banner>
      )}
      {!status && !error && <Skeleton className="h-14" />}
      {status && (
        <Connection
          status={status}
          onConnect={windows.connect}
          onDisconnect={cut}
          isDisconnecting={disconnect.isPending}
        />
      )}
      <Field label="Reuse a fetched value for">
        <Controller
          control={form.control}
          name="cacheSeconds"
          render={({ field: { value, onChange } }) => <CacheTimeSelect value={value} onChange={onChange} />}
        />
      </Field>
    </>
  )
}

interface ConnectionProps {
  status: DriveStatus
  onConnect: () => void
  onDisconnect: () => void
  isDisconnecting: boolean
}

function Connection({ status, onConnect, onDisconnect, isDisconnecting }: ConnectionProps) {
  if (!status.configured) {
    return (
      <Notice icon={<KeyRoundIcon />} title="Google Drive is not set up">
        <ByName text="Ask an administrator to set" own="Set" /> <code>GOOGLE_CLIENT_ID</code> and{' '}
        <code>GOOGLE_CLIENT_SECRET</code>, with{' '}
        <code className="wrap-anywhere">{location.origin}/api/auth/google/callback</code> as the redirect
        address. They apply when Catenary restarts.
      </Notice>
    )
  }
  if (!status.authenticated) {
    return (
      <Notice
        icon={<KeyRoundIcon />}
        title="Authorization required"
        action={
          <Button size="sm" onClick={onConnect}>
            Connect
          </Button>
        }
      >
        Connect Google Drive to pick a file. Catenary only reads files, and only when a prompt needs one.
      </Notice>
    )
  }
  return (
    <div className="flex min-w-0 items-center gap-2 text-xs text-text-3">
      <span className="min-w-0 flex-1 truncate">
        Connected{status.email === null ? '' : ` as ${status.email}`}
      </span>
      <Button variant="ghost" size="sm" pending={isDisconnecting} onClick={onDisconnect}>
        {!isDisconnecting && <UnplugIcon />}
        Disconnect
      </Button>
    </div>
  )
}

function Notice({
  icon,
  title,
  action,
  children,
}: {
  icon: ReactNode
  title: string
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <section
      aria-label={title}
      className="flex items-start gap-3 rounded-control bg-warn-soft p-3 text-sm text-warn [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0"
    >
      {icon}
      <div className="min-w-0 flex-1">
        <h3 className="font-semibold tracking-normal">{title}</h3>
        <p>{children}</p>
      </div>
      {action}
    </section>
  )
}
