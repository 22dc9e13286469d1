import type { ModelStatus } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../components/error-state.tsx'
import { SettingsPanel, SettingsRows } from '../../components/settings-panel.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { errorReason } from '../../lib/errors.ts'
import { modelsQuery, useTestModel } from './admin.queries.ts'
import { Outcome } from './outcome.tsx'

/** Which models are set up, and whether they answer. */
export function ModelsPanel() {
  const { data: models, error, refetch } = useQuery(modelsQuery)
  return (
    <SettingsPanel
      title="Models"
      description="Keys are set where Catenary runs, and are never shown here. A test makes one short call."
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : models ? (
        <SettingsRows label="Models">
          {models.map((model) => (
            <ModelRow key={model.alias} model={model} />
          ))}
        </SettingsRows>
      ) : (
        <Skeleton className="h-44" />
      )}
    </SettingsPanel>
  )
}

function ModelRow({ model }: { model: ModelStatus }) {
  const { alias, label: name, configured, provider, modelId, keyVariable } = model
  const test = useTestModel()
  const isSandbox = provider === 'sandbox'
  return (
    <li className="grid gap-2 px-3.5 py-3">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <h4 className="flex flex-wrap items-center gap-2 text-sm font-medium tracking-normal">
            {name}
            <StateBadge configured={configured} isSandbox={isSandbox} />
          </h4>
          <p className="text-xs text-text-3 wrap-anywhere">
            {configured ? <code>{modelId}</code> : <>Set {<code>{keyVariable}</code>} to use it.</>}
          </p>
        </div>
        <Button
          variant="secondary"
          size="sm"
          disabled={!configured && !isSandbox}
          pending={test.isPending}
          aria-label={`Test ${name}`}
          onClick={() => test.mutate(alias)}
        >
          Test
        </Button>
      </div>
      <div role="status" aria-label={`Test of ${name}`} className="empty:hidden">
        {test.data?.ok && (
          <Outcome ok>
            {isSandbox ? 'The sandbox answered' : `${test.data.modelId} answered`} in {test.data.ms} ms
          </Outcome>
        )}
        {test.data?.ok === false && <Outcome>{test.data.error}</Outcome>}
        {test.error && <Outcome>{errorReason(test.error)}</Outcome>}
      </div>
    </li>
  )
}

function StateBadge({ configured, isSandbox }: { configured: boolean; isSandbox: boolean }) {
  if (isSandbox) return <Badge variant="warn">Sandbox</Badge>
  return configured ? <Badge variant="ok">Configured</Badge> : <Badge>Not configured</Badge>
}
