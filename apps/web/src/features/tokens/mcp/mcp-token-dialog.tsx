import { MCP_TOKEN_TEXTS, type McpToken } from '@catenary/contracts'
import { type ReactNode, useState } from 'react'
import { Controller, type ControllerRenderProps } from 'react-hook-form'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { ChainPicker, type SelectableChain } from '../best/chain-picker.tsx'
import { Offers } from '../offers/offers.tsx'
import { PromptsField, type PromptsFieldProps } from '../read/prompts-field.tsx'
import type { TokenFormInput } from '../token-fields.tsx'
import { TokenFormDialog } from '../token-form-dialog.tsx'
import { type UseTokenFormOptions, useTokenForm } from '../use-token-form.ts'

export interface McpTokenDialogProps
  extends Omit<UseTokenFormOptions, 'of'>,
    Pick<PromptsFieldProps, 'known' | 'prompts' | 'onSearch'> {
  token: McpToken | null
  chains: readonly SelectableChain[] | undefined
}

export function McpTokenDialog({ known, prompts, onSearch, chains, ...options }: McpTokenDialogProps) {
  const state = useTokenForm({ ...options, of: { kind: 'mcp' } })
  const { control, formState } = state.form
  const { allPrompts, allChains, promptIds, chainIds } = state.values
  const isWithoutReach = !allPrompts && !allChains && promptIds.length + chainIds.length === 0
  return (
    <TokenFormDialog
      {...state}
      token={options.token}
      reach={{
        allPrompts,
        allChains,
        ...(!allPrompts && { promptIds }),
        ...(!allChains && { chainIds }),
      }}
      noun="MCP Token"
      description={
        options.token
          ? undefined
          : 'An agent with this token lists these prompts and chains, and runs the chains.'
      }
      runsChains={false}
      switches={
        <Controller
          control={control}
          name="labels"
          render={({ field: { value, onChange, onBlur } }) => (
            <LabelsField
              value={value}
              onChange={onChange}
              onBlur={onBlur}
              error={formState.errors.labels?.message ?? formState.errors.labels?.find?.(Boolean)?.message}
            />
          )}
        />
      }
    >
      <div className="grid gap-3">
        <Controller
          control={control}
          name="allPrompts"
          render={({ field }) => <AllOf field={field}>All my prompts and skills</AllOf>}
        />
        {allPrompts ? (
          <Offers kind="prompt" />
        ) : (
          <PromptsField
            control={control}
            hint="No prompt chosen"
            known={known}
            prompts={prompts}
            onSearch={onSearch}
            promptIds={promptIds}
          />
        )}
      </div>
      <div className="grid gap-3">
        <Controller
          control={control}
          name="allChains"
          render={({ field }) => <AllOf field={field}>All my chains</AllOf>}
        />
        {allChains ? (
          <Offers kind="chain" />
        ) : (
          <Controller
            control={control}
            name="chainIds"
            render={({ field: { value, onChange } }) => (
              <ChainPicker chains={chains} value={value} onChange={onChange} hint="No chain chosen" />
            )}
          />
        )}
      </div>
      {isWithoutReach && <p className="text-sm text-warn">{MCP_TOKEN_TEXTS.chooseSome}</p>}
    </TokenFormDialog>
  )
}

interface AllOfProps {
  field: ControllerRenderProps<TokenFormInput, 'allPrompts' | 'allChains'>
  children: ReactNode
}

function AllOf({ field: { value, onChange, onBlur }, children }: AllOfProps) {
  return (
    <label className="flex min-h-6 items-center gap-2 text-sm pointer-coarse:min-h-11">
      <input
        type="checkbox"
        checked={value ?? false}
        onChange={({ target }) => onChange(target.checked)}
        onBlur={onBlur}
        className="size-4 shrink-0 accent-accent"
      />
      {children}
    </label>
  )
}

interface LabelsFieldProps {
  value: readonly string[] | undefined
  onChange: (labels: string[]) => void
  onBlur: () => void
  error: string | undefined
}

function LabelsField({ value = [], onChange, onBlur, error }: LabelsFieldProps) {
  const [text, setText] = useState(value.join(', '))
  return (
    <Field
      label="Labels"
      hint="Versions with these labels, the first that a prompt or chain has. Empty: production, else the newest."
      error={error}
    >
      <Input
        autoComplete="off"
        placeholder="production, staging"
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          onChange(
            target.value
              .split(',')
              .map((label) => label.trim())
              .filter((label) => label !== ''),
          )
        }}
        onBlur={onBlur}
      />
    </Field>
  )
}
