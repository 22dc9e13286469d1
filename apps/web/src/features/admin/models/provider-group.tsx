import type { ManagedModel, ModelProvider } from '@catenary/contracts'
import { useQueries } from '@tanstack/react-query'
import { KeyRoundIcon, PlusIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { EditProviderDialog } from './edit-provider-dialog.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { ModelRow } from './model-row.tsx'
import { sentencesOfUse } from './model-texts.ts'
import { modelUseQuery, useRemoveProvider } from './models.queries.ts'
import { ProviderFacts } from './provider-facts.tsx'
import type { ModelTests } from './use-model-tests.ts'

export interface ProviderGroupProps {
  provider: ModelProvider
  models: readonly ManagedModel[]
  /** Of every provider, in order. */
  all: readonly ManagedModel[]
  tests: ModelTests
  onAddModel: () => void
  /** For one of the environment without a key. */
  onAddKey: () => void
  children: ReactNode
}

export function ProviderGroup({
  provider,
  models,
  all,
  tests,
  onAddModel,
  onAddKey,
  children,
}: ProviderGroupProps) {
  const { name } = provider
  const shown = models.filter((model) => !model.isFromEnvironment || isSetUp(model))
  return (
    <section aria-label={name} className="not-first:border-t not-first:border-line">
      <ProviderHeader provider={provider} models={models} onAddModel={onAddModel} onAddKey={onAddKey} />
      {shown.length > 0 && (
        <ul aria-label={`Models of ${name}`} className="divide-y divide-line border-t border-line">
          {shown.map((model) => (
            <ModelRow key={model.id} model={model} provider={provider} all={all} tests={tests} />
          ))}
        </ul>
      )}
      {children}
    </section>
  )
}

/** Of the environment, what is not set up is told by its provider alone. */
const isSetUp = ({ configured, provider }: ManagedModel) => configured || provider === 'sandbox'

type Opened = 'key' | 'edit' | 'remove'

type HeaderProps = Pick<ProviderGroupProps, 'provider' | 'models' | 'onAddModel' | 'onAddKey'>

function ProviderHeader({ provider, models, ...actions }: HeaderProps) {
  const [opened, setOpened] = useState<Opened>()
  const { name } = provider
  const close = () => setOpened(undefined)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 bg-inset py-1.5 pr-2 pl-3.5">
      <span
        aria-hidden="true"
        className="grid size-5 shrink-0 place-items-center rounded-tag border border-line bg-surface text-xs text-text-2"
      >
        {[...name][0]?.toUpperCase()}
      </span>
      <h2 dir="auto" className="text-sm font-semibold tracking-normal wrap-anywhere">
        {name}
      </h2>
      <ProviderFacts provider={provider} />
      <div className="ml-auto flex flex-wrap gap-1">
        <ProviderActions provider={provider} models={models} {...actions} onOpen={setOpened} />
      </div>
      {opened === 'key' && <KeyDialog provider={provider} onClose={close} />}
      {opened === 'edit' && <EditProviderDialog provider={provider} onClose={close} />}
      {opened === 'remove' && <RemoveProviderDialog provider={provider} models={models} onClose={close} />}
    </div>
  )
}

function ProviderActions({
  provider,
  models,
  onAddModel,
  onAddKey,
  onOpen,
}: HeaderProps & { onOpen: (opened: Opened) => void }) {
  const { name, isFromEnvironment, keyEnd } = provider
  if (isFromEnvironment && !models.some(({ configured }) => configured)) {
    return (
      <Button variant="secondary" size="sm" aria-label={`Add key for ${name}`} onClick={onAddKey}>
        <KeyRoundIcon />
        Add key
      </Button>
    )
  }
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        className="px-2"
        aria-label={`Add a model of ${name}`}
        onClick={onAddModel}
      >
        <PlusIcon />
        Model
      </Button>
      {!isFromEnvironment && (
        <>
          <Button
            variant="ghost"
            size="sm"
            className="px-2"
            aria-label={keyEnd === null ? `Add key of ${name}` : `Replace key of ${name}`}
            onClick={() => onOpen('key')}
          >
            {keyEnd === null ? 'Add key' : 'Replace'}
          </Button>
          <Button
            variant="ghost"
            size="sm"
            className="px-2"
            aria-label={`Edit ${name}`}
            onClick={() => onOpen('edit')}
          >
            Edit
          </Button>
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Remove ${name}`}
            className="px-2 text-danger hover:text-danger"
            onClick={() => onOpen('remove')}
          >
            Remove
          </Button>
        </>
      )}
    </>
  )
}

interface RemoveProviderDialogProps {
  provider: ModelProvider
  models: readonly ManagedModel[]
  onClose: () => void
}

function RemoveProviderDialog({ provider: { id, name }, models, onClose }: RemoveProviderDialogProps) {
  const uses = useQueries({ queries: models.map((model) => modelUseQuery(model.id)) })
  const { mutate, isPending } = useRemoveProvider()
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Remove ${name}?`}
      confirmLabel="Remove"
      description={
        <>
          Its address and key are deleted{models.length === 0 ? '.' : ', and its models with it:'}
          {models.map(({ alias }, index) => (
            <span key={alias} className="mt-2 block">
              <strong className="font-mono font-semibold">{alias}</strong> {sentencesOfUse(uses[index])}
            </span>
          ))}
        </>
      }
      pending={isPending}
      onConfirm={() =>
        mutate(
          { id, models },
          {
            onSuccess: () => toast({ title: `${name} was removed` }),
            onError: (error) =>
              toast({
                title: `Failed to remove ${name}`,
                description: errorReason(error),
                variant: 'destructive',
              }),
            onSettled: onClose,
          },
        )
      }
    />
  )
}
