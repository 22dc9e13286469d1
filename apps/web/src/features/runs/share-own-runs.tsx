import { useQuery } from '@tanstack/react-query'
import { SwitchField } from '../../components/forms/switch-field.tsx'
import { Button } from '../../components/ui/button.tsx'
import { runShareQuery, type SharedRecord, useShareOwnRuns } from './run-shares.queries.ts'

export function ShareOwnRuns({ record }: { record: SharedRecord }) {
  const { data } = useQuery(runShareQuery(record))
  const share = useShareOwnRuns(record)
  if (!data) return null
  const { isShared, names, privateNames } = data
  const missing = privateNames.filter((name) => !names.includes(name))
  return (
    <div className="grid gap-1.5">
      <SwitchField
        label="Share my runs"
        checked={isShared}
        onChange={(isOn) => share.mutate(isOn ? privateNames : null)}
        hint={
          isShared
            ? sharedText(record.kind, names)
            : `Everyone who sees this ${record.kind} can then read your runs of it, including earlier ones${
                privateNames.length === 0
                  ? '.'
                  : `, with the values of your private variables ${privateNames.join(', ')}.`
              }`
        }
      />
      {isShared && missing.length > 0 && (
        <p className="flex flex-wrap items-center gap-2 text-xs text-warn">
          <span className="min-w-0 wrap-anywhere">Not shared: runs that use {missing.join(', ')}.</span>
          <Button
            size="sm"
            variant="secondary"
            pending={share.isPending}
            onClick={() => share.mutate([...names, ...missing])}
          >
            Add to what is shared
          </Button>
        </p>
      )}
    </div>
  )
}

function sharedText(kind: SharedRecord['kind'], names: readonly string[]): string {
  const shared = `Everyone who sees this ${kind} can read your runs of it.`
  return names.length === 0
    ? `${shared} Runs that use a private variable are not shared.`
    : `${shared} Covers your private variables ${names.join(', ')}; runs that use another one are not shared.`
}
