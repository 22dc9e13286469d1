import {
  createBestTokenRequest,
  createFolderTokenRequest,
  createMcpTokenRequest,
  createReadTokenRequest,
  createTokenRequest,
  fill,
  TOKEN_TEXTS,
  type TokenType,
} from '@catenary/contracts'
import { ChevronRightIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import * as z from 'zod'
import { SwitchField } from '../../components/forms/switch-field.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '../../components/ui/collapsible.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { NumberInput } from '../../components/ui/number-input.tsx'
import { numberText, typedNumber } from '../../lib/text/number-of.ts'
import { useTimeZone } from '../../lib/time-zone.ts'
import { ExpiryField } from './expiry-field.tsx'
import { type AnyToken, describeLimits } from './token-texts.ts'

const { shape } = createBestTokenRequest
const forAgents = createMcpTokenRequest.shape

/** What is saved: the request's fields, from texts where they are typed; each kind of token takes those that it has. */
export const tokenForm = z.object({
  name: shape.name,
  includesAllChains: z.boolean(),
  includedChainIds: shape.includedChainIds.unwrap(),
  threshold: shape.threshold.unwrap(),
  promptIds: z.array(createReadTokenRequest.shape.promptIds.element),
  mayRun: z.boolean(),
  mayWrite: createFolderTokenRequest.shape.mayWrite.unwrap(),
  mayEvaluate: createFolderTokenRequest.shape.mayEvaluate.unwrap(),
  allPrompts: z.boolean(),
  allChains: z.boolean(),
  chainIds: forAgents.chainIds.unwrap(),
  labels: forAgents.labels.unwrap(),
  chainLabel: createTokenRequest.shape.chainLabel.unwrap(),
  expiresAt: shape.expiresAt.unwrap(),
  requestsPerMinute: typedNumber.pipe(shape.requestsPerMinute.unwrap()),
  callsAtOnce: typedNumber.pipe(shape.callsAtOnce.unwrap()),
  monthlyBudgetUsd: typedNumber.pipe(shape.monthlyBudgetUsd.unwrap()),
  answersHelperJobs: z.boolean(),
  showsProgress: z.boolean(),
  fills: z.array(fill).nullable(),
})
export type TokenForm = z.output<typeof tokenForm>

const text = z.string().default('')

/** While it is being filled in nothing is required, and numbers are as they are typed; the defaults are a new token's. */
export const tokenInput = z.object({
  name: text,
  includesAllChains: z.boolean().default(true),
  includedChainIds: z.array(z.int()).default([]),
  threshold: z.number().nullable().default(null),
  promptIds: z.array(z.int()).default([]),
  mayRun: z.boolean().default(false),
  mayWrite: z.boolean().default(false),
  mayEvaluate: z.boolean().default(false),
  allPrompts: z.boolean().default(true),
  allChains: z.boolean().default(false),
  chainIds: z.array(z.int()).default([]),
  labels: z.array(z.string()).default([]),
  chainLabel: z.string().nullable().default(null),
  expiresAt: z.string().nullable().default(null),
  requestsPerMinute: text,
  callsAtOnce: text,
  monthlyBudgetUsd: text,
  answersHelperJobs: z.boolean().default(true),
  showsProgress: z.boolean().default(false),
  /** Null: what the texts hold when it is made. */
  fills: z.array(fill).nullable().default(null),
})
export type TokenFormInput = z.output<typeof tokenInput>

export function formOf(start: AnyToken | { name: string; promptIds?: number[] }): TokenFormInput {
  if (!('id' in start)) return tokenInput.parse(start)
  return tokenInput.parse({
    ...start,
    ...scopeOf(start),
    requestsPerMinute: numberText(start.requestsPerMinute),
    callsAtOnce: numberText(start.callsAtOnce),
    monthlyBudgetUsd: numberText(start.monthlyBudgetUsd),
  })
}

function scopeOf(token: AnyToken) {
  const idsOf = (records: readonly { id: number }[]) => records.map(({ id }) => id)
  switch (token.tokenType) {
    case 'chain':
    case 'folder':
    case 'scoped':
      return {}
    case 'best':
      return { includedChainIds: idsOf(token.includedChains) }
    case 'read':
      return { promptIds: idsOf(token.prompts) }
    case 'mcp':
      return { promptIds: idsOf(token.prompts), chainIds: idsOf(token.chains) }
  }
}

export function isIncomplete(kind: TokenType, values: TokenFormInput): boolean {
  const { name, includesAllChains, includedChainIds, promptIds } = values
  if (name.trim() === '') return true
  if (kind === 'read') return promptIds.length === 0
  if (kind === 'mcp') return isWithoutReach(values)
  if (kind === 'folder') return false
  return !includesAllChains && includedChainIds.length === 0
}

function isWithoutReach({ allPrompts, promptIds, allChains, chainIds }: TokenFormInput): boolean {
  return !(allPrompts || allChains || promptIds.length > 0 || chainIds.length > 0)
}

interface TokenFieldProps {
  form: UseFormReturn<TokenFormInput, unknown, TokenForm>
}

export function TokenNameField({ form: { register, formState } }: TokenFieldProps) {
  return (
    <Field label="Token Name" error={formState.errors.name?.message}>
      <Input autoComplete="off" placeholder={TOKEN_TEXTS.namePlaceholder} {...register('name')} />
    </Field>
  )
}

export interface TokenLimitsProps extends TokenFieldProps {
  values: TokenFormInput
  runsChains?: boolean | undefined
  children?: ReactNode
}

export function TokenLimits({
  form: { control, register, formState },
  values,
  runsChains = true,
  children,
}: TokenLimitsProps) {
  const { errors } = formState
  const [isOpened, setIsOpened] = useState(false)
  const { requestsPerMinute, callsAtOnce, monthlyBudgetUsd, expiresAt } = errors
  const isOpen = isOpened || Boolean(requestsPerMinute || callsAtOnce || monthlyBudgetUsd || expiresAt)
  return (
    <Collapsible
      open={isOpen}
      onOpenChange={setIsOpened}
      className="grid gap-4 border-t border-line pt-3 -mb-1"
    >
      <CollapsibleTrigger asChild>
        <Button
          variant="ghost"
          size="sm"
          className="-mx-1.5 h-auto min-h-7 justify-start gap-1.5 px-1.5 py-1 text-left whitespace-normal"
        >
          <ChevronRightIcon className={isOpen ? 'rotate-90' : ''} />
          <span className="shrink-0">{runsChains ? 'Limits and behaviour' : 'Limits'}</span>
          <span className="ml-auto pl-3 text-right text-xs font-normal text-text-3">
            {describeLimits({ limits: values, timeZone: useTimeZone() })}
          </span>
        </Button>
      </CollapsibleTrigger>
      {/* Kept in the form while closed, so that the first refused field can be found. */}
      <CollapsibleContent forceMount className="grid gap-5 data-[state=closed]:hidden">
        <Controller
          control={control}
          name="expiresAt"
          render={({ field: { value, onChange } }) => (
            <ExpiryField value={value} onChange={onChange} error={expiresAt?.message} />
          )}
        />
        <div className="grid items-start gap-4 sm:grid-cols-3">
          <Field label="Requests a minute" error={requestsPerMinute?.message}>
            <NumberInput isWhole placeholder="no limit" {...register('requestsPerMinute')} />
          </Field>
          <Field label="Calls at once" error={callsAtOnce?.message}>
            <NumberInput isWhole placeholder="no limit" {...register('callsAtOnce')} />
          </Field>
          <Field label="US dollars a month" error={monthlyBudgetUsd?.message}>
            <NumberInput placeholder="no limit" {...register('monthlyBudgetUsd')} />
          </Field>
        </div>
        <div className="grid gap-3.5">
          {children}
          {runsChains && <ChainSwitches control={control} />}
        </div>
      </CollapsibleContent>
    </Collapsible>
  )
}

function ChainSwitches({ control }: Pick<TokenFieldProps['form'], 'control'>) {
  return (
    <>
      <Controller
        control={control}
        name="answersHelperJobs"
        render={({ field: { value, onChange, onBlur } }) => (
          <SwitchField
            label="Answer background jobs of chat front ends"
            hint="Their titles, tags, follow-ups and search queries are answered without running a chain, at no cost."
            checked={value}
            onChange={onChange}
            onBlur={onBlur}
          />
        )}
      />
      <Controller
        control={control}
        name="showsProgress"
        render={({ field: { value, onChange, onBlur } }) => (
          <SwitchField
            label="Show progress"
            hint="While a stream waits, the names of the earlier steps go out as the model’s thinking."
            checked={value}
            onChange={onChange}
            onBlur={onBlur}
          />
        )}
      />
    </>
  )
}
