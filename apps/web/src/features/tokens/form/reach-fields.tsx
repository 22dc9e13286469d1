import { TOKEN_ABILITIES, TOKEN_TEXTS, type TokenAbility } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Controller } from 'react-hook-form'
import { SwitchField } from '../../../components/forms/switch-field.tsx'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { allChainsQuery, chainQuery } from '../../chains/chains.queries.ts'
import { releasesOf } from '../../chains/releases-of.ts'
import { useFoundPrompts } from '../../prompts/use-found-prompts.ts'
import { ChainLabelChoice } from '../../records/versions/version-choice.tsx'
import { Offers } from '../offers/offers.tsx'
import { HookFields } from './hook-fields.tsx'
import { ReachPicker } from './reach-picker.tsx'
import type { ReachFieldsProps, TokenFieldsProps } from './token-form.ts'

/** What it is for: prompts, chains or one chain, and what it may do with them, as its kind asks. */
export function ReachFields(props: ReachFieldsProps) {
  const { form, values } = props
  switch (values.kind) {
    case 'chain':
      return <OneChain {...props} />
    case 'hook':
      return (
        <>
          <OneChain {...props} />
          <HookFields {...props} />
        </>
      )
    case 'best':
      return <Chains {...props} all={TOKEN_TEXTS.includeAll} />
    case 'read':
      return (
        <>
          <ChosenPrompts {...props} />
          <AbilitySwitch form={form} ability="run" />
        </>
      )
    case 'mcp':
      return (
        <>
          <Prompts {...props} />
          <Chains {...props} all="All my chains" hint="No chain chosen" />
        </>
      )
    case 'folder':
      return (
        <>
          <AbilitySwitch form={form} ability="folder.write" />
          <AbilitySwitch form={form} ability="evaluate" />
        </>
      )
    case 'scoped':
      return (
        <>
          <Abilities form={form} />
          <Prompts {...props} />
          <Chains {...props} all="All my chains" hint="No chain chosen" />
        </>
      )
  }
}

function Prompts(props: ReachFieldsProps) {
  const { form, values } = props
  return (
    <div className="grid gap-3">
      <AllOf form={form} name="allPrompts">
        All my prompts and skills
      </AllOf>
      {values.allPrompts ? <Offers kind="prompt" /> : <ChosenPrompts {...props} hint="No prompt chosen" />}
    </div>
  )
}

function ChosenPrompts({ form, token, start, hint }: ReachFieldsProps & { hint?: string }) {
  const { prompts, isKnown, setSearch } = useFoundPrompts()
  const [met, setMet] = useState(() => [
    ...(token?.namedPrompts ?? []),
    ...(start.prompt ? [start.prompt] : []),
  ])
  const titles = new Map([...met, ...(prompts ?? [])].map(({ id, title }) => [id, title]))
  const found = isKnown ? prompts : undefined
  return (
    <Controller
      control={form.control}
      name="promptIds"
      render={({ field: { value, onChange } }) => (
        <ReachPicker
          noun="prompt"
          choices={found?.map(({ id, title }) => ({ id, name: title }))}
          first={value.map((id) => ({ id, name: titles.get(id) ?? `Prompt ${id}` }))}
          chosen={value}
          onSearch={setSearch}
          onChange={(ids) => {
            setMet([...titles].map(([id, title]) => ({ id, title })))
            onChange(ids)
          }}
          hint={hint}
        />
      )}
    />
  )
}

function Chains({ form, values, all, hint }: ReachFieldsProps & { all: string; hint?: string }) {
  const { data: chains } = useQuery(allChainsQuery)
  return (
    <div className="grid gap-3">
      <AllOf form={form} name="allChains">
        {all}
      </AllOf>
      {values.allChains ? (
        <Offers kind="chain" />
      ) : (
        <Controller
          control={form.control}
          name="chainIds"
          render={({ field: { value, onChange } }) => (
            <ReachPicker noun="chain" choices={chains} chosen={value} onChange={onChange} hint={hint} />
          )}
        />
      )}
    </div>
  )
}

function OneChain({ form, chainId, token }: ReachFieldsProps) {
  const { data: all } = useQuery(allChainsQuery)
  const { data: chain } = useQuery({ ...chainQuery(chainId ?? 0), enabled: chainId !== null })
  const chains = all?.filter(({ canEdit, id }) => canEdit || id === chainId)
  return (
    <>
      {!token && chains?.length === 0 && <p className="text-sm text-text-2">{TOKEN_TEXTS.noChains}</p>}
      {!token && chains?.length !== 0 && (
        <Field label="Chain">
          <ChoiceSelect
            choices={(chains ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
            value={chainId === null ? '' : String(chainId)}
            onChange={(id) => {
              // A label is of its chain.
              form.setValue('chainLabel', null)
              form.setValue('chainId', Number(id), { shouldDirty: true })
            }}
            placeholder="Choose a chain"
          />
        </Field>
      )}
      <Controller
        control={form.control}
        name="chainLabel"
        render={({ field: { ref, value, onChange, onBlur } }) => (
          <ChainLabelChoice
            value={value}
            releases={releasesOf(chain)}
            error={form.formState.errors.chainLabel?.message}
            onChange={onChange}
            onBlur={onBlur}
            ref={ref}
          />
        )}
      />
    </>
  )
}

type FormProps = Pick<TokenFieldsProps, 'form'>

const ABILITY_TEXTS: Record<TokenAbility, { label: string; hint: string }> = {
  read: { label: 'Fetch prompts', hint: 'By name and label.' },
  resolve: { label: 'Fill in variables', hint: 'Prompts are fetched with the values of your variables.' },
  run: {
    label: 'May run',
    hint: 'It runs these prompts too, through /v1/responses, as you and at your cost.',
  },
  agent: { label: 'Connect an agent', hint: 'Prompts as commands, chains as tools, skills.' },
  'folder.read': { label: 'Read your folder', hint: 'Everything you own, as files.' },
  'folder.write': {
    label: 'May write',
    hint: 'Push: makes new versions of what you own, as you. It can’t delete, share or move protected labels.',
  },
  evaluate: { label: 'May evaluate', hint: 'It starts evaluations, at your cost.' },
  hook: { label: 'Start one chain', hint: 'At an address of its own.' },
}

function AbilitySwitch({ form, ability, ...texts }: FormProps & { ability: TokenAbility; hint?: string }) {
  return (
    <Controller
      control={form.control}
      name="abilities"
      render={({ field: { value, onChange, onBlur } }) => (
        <SwitchField
          {...ABILITY_TEXTS[ability]}
          {...texts}
          checked={value.includes(ability)}
          onChange={(isOn) =>
            onChange(isOn ? [...value, ability] : value.filter((other) => other !== ability))
          }
          onBlur={onBlur}
        />
      )}
    />
  )
}

function Abilities({ form }: FormProps) {
  return (
    <div className="grid gap-3">
      {TOKEN_ABILITIES.filter((ability) => ability !== 'hook').map((ability) => (
        <AbilitySwitch
          key={ability}
          form={form}
          ability={ability}
          {...(ability === 'run' && { hint: 'It runs what it reaches, as you and at your cost.' })}
        />
      ))}
    </div>
  )
}

function AllOf({
  form,
  name,
  children,
}: FormProps & { name: 'allPrompts' | 'allChains'; children: ReactNode }) {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { value, onChange, onBlur } }) => (
        <label className="flex min-h-6 items-center gap-2 text-sm pointer-coarse:min-h-11">
          <input
            type="checkbox"
            checked={value}
            onChange={({ target }) => onChange(target.checked)}
            onBlur={onBlur}
            className="size-4 shrink-0 accent-accent"
          />
          {children}
        </label>
      )}
    />
  )
}
