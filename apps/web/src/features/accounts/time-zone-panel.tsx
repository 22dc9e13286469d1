import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../components/error-state.tsx'
import { SettingsPanel } from '../../components/settings-panel.tsx'
import { browserTimeZone, TimeZonePicker } from '../../components/time-zone-picker.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { accountQuery, useUpdateAccount } from './own-account.queries.ts'

/** Which zone schedules start from. */
export function TimeZonePanel() {
  const { data, error, refetch } = useQuery(accountQuery)
  const update = useUpdateAccount()
  return (
    <SettingsPanel title="Time zone" description="Which clock your schedules start from.">
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : data ? (
        <Field label="Time zone" hideLabel hint={`Your browser says ${browserTimeZone()}.`}>
          <TimeZonePicker
            value={data.timeZone}
            onChange={(timeZone) => update.mutate({ timeZone })}
            allowBrowserZone
          />
        </Field>
      ) : (
        <Skeleton className="h-8" />
      )}
    </SettingsPanel>
  )
}
