import type { ManagedModel, ModelProvider } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { GaugeIcon, PlusIcon } from 'lucide-react'
import { useState } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { LearnMore } from '../../../components/learn-more.tsx'
import { SettingsPanel } from '../../../components/settings-panel.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { useInstance } from '../../../lib/instance.ts'
import { AccessCard } from './access-card.tsx'
import { AddModelForm, type AddStart } from './add-model-form.tsx'
import { MODEL_COLUMNS } from './model-columns.ts'
import { modelsOf } from './model-texts.ts'
import { modelsQuery, providersQuery } from './models.queries.ts'
import { ProviderGroup } from './provider-group.tsx'
import { type ModelTests, useModelTests } from './use-model-tests.ts'

/** The models that can be asked: where, with which key, whether they answer, and who may use them. */
export default function ModelsPanel() {
  const providers = useQuery(providersQuery)
  const models = useQuery(modelsQuery)
  const tests = useModelTests()
  const [adding, setAdding] = useState<AddStart>()
  const error = providers.error ?? models.error
  const retry = () => void Promise.all([providers.refetch(), models.refetch()])
  const testable = (models.data ?? []).filter(({ isEnabled, configured }) => isEnabled && configured)
  return (
    <SettingsPanel
      title="Models"
      isWide
      description={
        <>
          Keys are sealed when they are saved: from then on only their last four characters are shown. A test
          makes one short call. Prices are for a million tokens. <LearnMore about="models" />
        </>
      }
      action={
        <div className="flex gap-2">
          <Button
            variant="secondary"
            pending={tests.isRunning}
            disabled={testable.length === 0}
            onClick={() => void tests.testAll(testable.map(({ alias }) => alias))}
          >
            {!tests.isRunning && <GaugeIcon />}
            Test all
          </Button>
          <Button disabled={!models.data} onClick={() => setAdding({ kind: 'compatible' })}>
            <PlusIcon />
            Add provider
          </Button>
        </div>
      }
    >
      {providers.data && models.data ? (
        <>
          <SandboxNote />
          <ModelTable
            providers={providers.data}
            models={models.data}
            tests={tests}
            adding={adding}
            onAdd={setAdding}
          />
          <AccessCard models={models.data} />
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={retry} className="py-6" />
      ) : (
        <Skeleton className="h-80" />
      )}
    </SettingsPanel>
  )
}

/** Nothing is set up yet. */
function SandboxNote() {
  if (!useInstance()?.sandbox) return null
  return (
    <Banner>
      The sandbox answers until a model is set up: add a provider, or set a key where Catenary runs.
    </Banner>
  )
}

interface ModelTableProps {
  providers: readonly ModelProvider[]
  models: readonly ManagedModel[]
  tests: ModelTests
  adding: AddStart | undefined
  onAdd: (start: AddStart | undefined) => void
}

const HEADS = ['Alias', 'Model id', 'Context', 'In / out', 'Can', 'Last test'] as const
const HEAD_CLASSES: Partial<Record<(typeof HEADS)[number], string>> = {
  Context: 'text-right',
  'In / out': 'text-right',
  Can: 'pl-3',
}

function ModelTable({ providers, models, tests, adding, onAdd }: ModelTableProps) {
  const form = adding && (
    <AddModelForm
      key={JSON.stringify(adding)}
      start={adding}
      onAdded={(alias) => void tests.test(alias)}
      onClose={() => onAdd(undefined)}
    />
  )
  return (
    <div className="@container min-w-0">
      <div className="overflow-hidden rounded-card border border-line">
        <div
          aria-hidden="true"
          className={`${MODEL_COLUMNS} hidden h-9 items-center text-xs font-medium text-text-2 @min-[760px]:grid`}
        >
          {HEADS.map((head) => (
            <span key={head} className={HEAD_CLASSES[head]}>
              {head}
            </span>
          ))}
        </div>
        {inOrder(providers, models).map((provider) => (
          <ProviderGroup
            key={provider.id}
            provider={provider}
            models={modelsOf(models, provider)}
            all={models}
            tests={tests}
            onAdd={onAdd}
          >
            {adding?.provider?.id === provider.id && form}
          </ProviderGroup>
        ))}
        {adding && !adding.provider && form}
      </div>
    </div>
  )
}

/** As people see their models; those without one come last. */
function inOrder(providers: readonly ModelProvider[], models: readonly ManagedModel[]): ModelProvider[] {
  const placeOf = (provider: ModelProvider) => {
    const first = models.findIndex(({ providerId }) => providerId === provider.id)
    return first === -1 ? models.length : first
  }
  return providers.toSorted((a, b) => placeOf(a) - placeOf(b))
}
