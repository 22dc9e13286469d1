import type { ManagedModel, ModelProvider, ProviderKind } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { GaugeIcon, PlusIcon } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { LearnMore } from '../../../components/learn-more.tsx'
import { SettingsPanel } from '../../../components/settings-panel.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { useOpenItem } from '../../../lib/open-item.ts'
import { AccessCard } from './access-card.tsx'
import { AddModels, ChooseModels } from './choose-models.tsx'
import { MODEL_COLUMNS } from './model-columns.ts'
import { modelsOf } from './model-texts.ts'
import { type AddedProvider, modelsQuery, providersQuery } from './models.queries.ts'
import { ProviderGroup } from './provider-group.tsx'
import ProviderKeyForm from './provider-key-form.tsx'
import { type ModelTests, useModelTests } from './use-model-tests.ts'

/** What is open above the table: a form for a key, or the models that were found with it. */
type Adding = { form: 'provider'; kind?: ProviderKind } | { form: 'models'; added: AddedProvider }

export default function ModelsPanel() {
  const providers = useQuery(providersQuery)
  const models = useQuery(modelsQuery)
  const tests = useModelTests()
  const { adding, open, openGroup, isOpenIn, isTyped, follow, close, opener } = useAdding(tests)
  const error = providers.error ?? models.error
  const retry = () => void Promise.all([providers.refetch(), models.refetch()])
  const testable = (models.data ?? []).filter(({ isEnabled, configured }) => isEnabled && configured)
  return (
    <SettingsPanel
      title="Models"
      count={models.data && providers.data && countText(models.data, providers.data)}
      isWide
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
          <Button
            ref={opener}
            variant={adding ? 'secondary' : 'primary'}
            aria-expanded={adding?.form === 'provider'}
            disabled={!models.data}
            onClick={() => open(adding?.form === 'provider' ? undefined : { form: 'provider' })}
          >
            <PlusIcon />
            Add provider
          </Button>
        </div>
      }
    >
      {providers.data && models.data ? (
        <>
          {adding?.form === 'provider' && (
            <ProviderKeyForm
              key={adding.kind}
              kind={adding.kind}
              withServers
              onAdded={follow}
              onClose={close}
              className="rounded-card border border-accent bg-surface p-4 pt-3"
            />
          )}
          {adding?.form === 'models' && adding.added.found && (
            <ChooseModels
              provider={adding.added.provider}
              found={adding.added.found}
              all={models.data}
              note={addedText(adding.added)}
              onAdded={(aliases) => void tests.testAll(aliases)}
              onType={() => openGroup(adding.added.provider.id, true)}
              onClose={close}
              className="rounded-card border border-accent bg-surface"
            />
          )}
          <ModelTable
            providers={providers.data}
            models={models.data}
            tests={tests}
            onAddModel={(id) => openGroup(id, false)}
            onAddKey={(kind) => open({ form: 'provider', kind })}
            renderForm={(provider) =>
              isOpenIn(provider) && (
                <AddModels
                  provider={provider}
                  all={models.data}
                  isTyped={isTyped}
                  onAdded={(aliases) => void tests.testAll(aliases)}
                  onType={() => openGroup(provider.id, true)}
                  onClose={close}
                />
              )
            }
          />
          <p className="-mt-1 text-xs text-text-3">
            Context in tokens. Prices in dollars per million tokens. A test makes one short call.{' '}
            <LearnMore about="models" className="text-xs" />
          </p>
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

/** One form at a time: above the table or, as the address says, in the group of a provider. */
function useAdding(tests: ModelTests) {
  const [adding, setAdding] = useState<Adding>()
  const group = useOpenItem('add')
  const [isTyped, setIsTyped] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const open = (next: Adding | undefined) => {
    setAdding(next)
    if (group.open) group.show(null)
  }
  const close = () => {
    open(undefined)
    opener.current?.focus({ preventScroll: true })
  }
  const openGroup = (id: number, byName: boolean) => {
    setAdding(undefined)
    setIsTyped(byName)
    group.show({ kind: 'open', id })
  }
  const follow = (added: AddedProvider) => {
    const { provider, usual, found } = added
    if (usual) tests.keep(usual.model.alias, usual.test)
    const others = found?.models.filter((modelId) => modelId !== usual?.model.modelId) ?? []
    if (others.length > 0) open({ form: 'models', added })
    else if (usual) close()
    else openGroup(provider.id, true)
  }
  const isOpenIn = ({ id }: ModelProvider) => group.open?.kind === 'open' && group.open.id === id
  return { adding, open, openGroup, isOpenIn, isTyped, follow, close, opener }
}

interface ModelTableProps {
  providers: readonly ModelProvider[]
  models: readonly ManagedModel[]
  tests: ModelTests
  onAddModel: (providerId: number) => void
  onAddKey: (kind: ProviderKind) => void
  /** Below the models of a provider. */
  renderForm: (provider: ModelProvider) => ReactNode
}

const HEADS = ['Alias', 'Label', 'Model id', 'Context', 'In / out', 'Last test'] as const
const HEAD_CLASSES: Partial<Record<(typeof HEADS)[number], string>> = {
  Context: 'text-right',
  'In / out': 'text-right',
  'Last test': 'pl-3',
}

function ModelTable({ providers, models, tests, onAddModel, onAddKey, renderForm }: ModelTableProps) {
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
        {inOrder(providers, models)
          .filter((provider) => isShown(provider, models))
          .map((provider) => (
            <ProviderGroup
              key={provider.id}
              provider={provider}
              models={modelsOf(models, provider)}
              all={models}
              tests={tests}
              onAddModel={() => onAddModel(provider.id)}
              onAddKey={() => onAddKey(provider.kind)}
            >
              {renderForm(provider)}
            </ProviderGroup>
          ))}
      </div>
    </div>
  )
}

function addedText({ provider: { name }, usual }: AddedProvider): string {
  return usual ? `${name} is added, and ${usual.model.alias} uses its key.` : `${name} is added.`
}

/** What has neither a key nor a model of its own is not worth a row: its models use a key that was added here. */
function isShown(provider: ModelProvider, models: readonly ManagedModel[]): boolean {
  const { isFromEnvironment, keyEnd } = provider
  return !isFromEnvironment || keyEnd !== null || modelsOf(models, provider).length > 0
}

/** As people see their models; those without one come last. */
function inOrder(providers: readonly ModelProvider[], models: readonly ManagedModel[]): ModelProvider[] {
  const placeOf = (provider: ModelProvider) => {
    const first = models.findIndex(({ providerId }) => providerId === provider.id)
    return first === -1 ? models.length : first
  }
  return providers.toSorted((a, b) => placeOf(a) - placeOf(b))
}

function countText(models: readonly ManagedModel[], providers: readonly ModelProvider[]): string {
  const keyed = new Set(models.filter(({ configured }) => configured).map(({ providerId }) => providerId))
  const [modelCount, providerCount] = [models.filter(({ configured }) => configured).length, keyed.size]
  if (providers.length === 0 || modelCount === 0) return ''
  return `${modelCount} ${modelCount === 1 ? 'model' : 'models'}, ${providerCount} ${providerCount === 1 ? 'provider' : 'providers'}`
}
