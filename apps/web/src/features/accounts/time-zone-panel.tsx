import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../components/error-state.tsx'
import { TimeZonePicker } from '../../components/forms/time-zone-picker.tsx'
import { SettingsPanel } from '../../components/settings-panel.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { browserTimeZone } from '../../lib/time-zone.ts'
import { accountQuery, useUpdateAccount } from './own-account.queries.ts'

export default function TimeZonePanel() {
  const { data, error, refetch } = useQuery(accountQuery)
  const update = useUpdateAccount()
  return (
    <SettingsPanel title="Time zone" description="Times are shown in this zone, and new schedules use it.">
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : data ? (
        <Field label="Time zone" hideLabel hint={`Your browser uses ${browserTimeZone()}.`}>
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
