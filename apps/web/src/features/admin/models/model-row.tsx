import type { ManagedModel, ModelProvider } from '@catenary/contracts'
import type { ComponentProps } from 'react'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { cn } from '../../../lib/utils.ts'
import { usualOf } from '../../model-settings/models.ts'
import { MODEL_COLUMNS } from './model-columns.ts'
import { ModelMenu } from './model-menu.tsx'
import { capabilitiesText, contextText, costText, priceText, timeText } from './model-texts.ts'
import type { ModelTests, TestState } from './use-model-tests.ts'

export interface ModelRowProps {
  model: ManagedModel
  provider: ModelProvider
  /** Of every provider, in order. */
  all: readonly ManagedModel[]
  tests: ModelTests
}

export function ModelRow({ model, provider, all, tests }: ModelRowProps) {
  const { alias, label, modelId, contextTokens, price } = model
  const state = tests.states[alias]
  return (
    <li className="py-1.5">
      <div className={cn(MODEL_COLUMNS, 'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-y-1 text-sm')}>
        <h3 className="min-w-0 font-mono text-sm font-semibold tracking-normal wrap-anywhere">{alias}</h3>
        <Cell name="Label" title={`Can: ${capabilitiesText(model)}`}>
          <span className="flex flex-wrap items-center gap-x-1.5 gap-y-1">
            <span dir="auto" className="text-text">
              {label}
            </span>
            <ModelBadges model={model} all={all} />
          </span>
          <MonthNote model={model} />
        </Cell>
        <Cell name="Model id" className="font-mono text-xs">
          {modelId}
        </Cell>
        <Cell name="Context" className="@min-[760px]:text-right">
          <span className={contextTokens === null ? 'text-text-3' : ''}>{contextText(contextTokens)}</span>
        </Cell>
        <Cell name="In / out" className="@min-[760px]:text-right">
          <span className={price === null ? 'text-text-3' : ''}>{priceText(price)}</span>
        </Cell>
        <Cell name="Can" className="@min-[760px]:hidden">
          {capabilitiesText(model)}
        </Cell>
        <div className="@max-[760px]:col-span-2 @min-[760px]:pl-3">
          <TestButton model={model} state={state} onTest={() => void tests.test(alias)} />
        </div>
        <div className="@max-[760px]:col-start-2 @max-[760px]:row-start-1">
          <ModelMenu model={model} provider={provider} all={all} />
        </div>
      </div>
      <TestSentence model={model} state={state} />
    </li>
  )
}

function Cell({ name, className, children, ...props }: ComponentProps<'div'> & { name: string }) {
  return (
    <div
      {...props}
      className={cn(
        'min-w-0 wrap-anywhere text-text-2 @max-[760px]:col-span-2 @max-[760px]:grid @max-[760px]:grid-cols-[84px_minmax(0,1fr)] @max-[760px]:items-baseline @max-[760px]:gap-x-3',
        className,
      )}
    >
      <span className="font-sans text-xs text-text-3 @min-[760px]:sr-only">{name}</span>
      <span className="min-w-0">{children}</span>
    </div>
  )
}

function ModelBadges({ model, all }: Pick<ModelRowProps, 'model' | 'all'>) {
  const { isEnabled, isForEveryone, configured, provider } = model
  const usable = all.filter((one) => one.isEnabled && one.configured)
  const judges = [
    model.isJudge && 'Chooses for Best Chain.',
    model === usable[0] && 'Grades evaluations unless another model is chosen.',
  ].filter(Boolean)
  return (
    <>
      {model === usualOf(usable) && (
        <Badge variant="accent" title="The default for anyone who hasn’t chosen a model">
          Default
        </Badge>
      )}
      {judges.length > 0 && (
        <Badge variant="accent" title={judges.join(' ')}>
          Judge
        </Badge>
      )}
      {provider === 'sandbox' && <Badge variant="warn">Sandbox</Badge>}
      {!configured && provider !== 'sandbox' && <Badge variant="warn">Needs a key</Badge>}
      {!isEnabled && <Badge variant="neutral">Off</Badge>}
      {!isForEveryone && <Badge>Restricted</Badge>}
    </>
  )
}

function MonthNote({ model: { monthlyLimitUsd, spentUsd } }: { model: ManagedModel }) {
  if (monthlyLimitUsd === null) return null
  const isSpent = spentUsd >= monthlyLimitUsd
  return (
    <span className={`block text-xs ${isSpent ? 'text-danger' : 'text-text-3'}`}>
      {costText(spentUsd)} of {costText(monthlyLimitUsd)} spent this month
      {isSpent && '. No more calls this month'}
    </span>
  )
}

interface TestProps {
  model: ManagedModel
  state: TestState | undefined
}

function TestButton({
  model: { alias, isEnabled, configured, provider },
  state,
  onTest,
}: TestProps & { onTest: () => void }) {
  const result = state === 'running' ? undefined : state
  const text = result && (result.ok ? timeText(result.ms) : 'Failed')
  return (
    <Button
      variant={result ? 'ghost' : 'secondary'}
      size="sm"
      disabled={!isEnabled || !(configured || provider === 'sandbox')}
      pending={state === 'running'}
      aria-label={text === undefined ? `Test ${alias}` : `${text}: test ${alias} again`}
      className={cn('px-2', result && '-ml-2', result && (result.ok ? 'text-ok' : 'text-danger'))}
      onClick={onTest}
    >
      {text !== undefined && <span className="size-1.5 rounded-full bg-current" />}
      {text ?? 'Test'}
    </Button>
  )
}

function TestSentence({ model: { alias, provider }, state }: TestProps) {
  const result = state === 'running' ? undefined : state
  return (
    <p role="status" aria-label={`Test of ${alias}`} className="px-3.5 empty:hidden">
      {result?.ok && (
        <span className="sr-only">
          {provider === 'sandbox' ? 'The sandbox' : alias} answered in {result.ms} ms{' '}
        </span>
      )}
      {result?.ok === false && <span className="text-xs text-danger wrap-anywhere">{result.error} </span>}
      {result?.address != null && (
        <span className={result.ok ? 'sr-only' : 'text-xs text-text-3 wrap-anywhere'}>
          Asked: <span className="font-mono">{result.address}</span>
        </span>
      )}
    </p>
  )
}
