import { movableLabel, type ProtectedLabel } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { SettingsPart, SettingsRows } from '../../../components/settings-panel.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { ProtectedLabelRow } from './protected-label-row.tsx'
import { protectedLabelsQuery, useProtectLabel } from './protected-labels.queries.ts'

export function ProtectedLabels() {
  const { data: labels, error, refetch } = useQuery(protectedLabelsQuery)
  return (
    <SettingsPart
      title="Protected labels"
      description="Who can move a version label on prompts and chains, and whether tests must pass first."
    >
      {labels ? (
        <>
          {labels.length > 0 ? (
            <SettingsRows label="Protected labels">
              {labels.map((label) => (
                <ProtectedLabelRow key={label.label} label={label} />
              ))}
            </SettingsRows>
          ) : (
            <p className="rounded-card border border-line px-3.5 py-3 text-sm text-text-2">
              No label is protected: anyone who can edit a prompt or chain can move its labels.
            </p>
          )}
          <NewProtection taken={labels} />
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : (
        <Skeleton className="h-36" />
      )}
    </SettingsPart>
  )
}

function NewProtection({ taken }: { taken: readonly ProtectedLabel[] }) {
  const [label, setLabel] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const protect = useProtectLabel()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const parsed = movableLabel.safeParse(label.trim())
    if (!parsed.success) return setRefusal(parsed.error.issues[0]?.message)
    if (taken.some((one) => one.label === parsed.data)) return setRefusal('This label is already protected')
    setRefusal(undefined)
    return protect.mutate(
      { label: parsed.data, whoMayMove: 'owners', groups: [], needsSuite: false },
      { onSuccess: () => setLabel(''), onError: (error) => setRefusal(errorReason(error)) },
    )
  }
  return (
    <form noValidate onSubmit={submit}>
      <Field label="Protect another label" error={refusal}>
        <div className="flex gap-2">
          <Input
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="production"
            value={label}
            onChange={(event) => setLabel(event.target.value)}
            className="font-mono text-xs"
          />
          <Button type="submit" variant="secondary" pending={protect.isPending}>
            Protect
          </Button>
        </div>
      </Field>
    </form>
  )
}
