import {
  type Chain,
  chain as chainSchema,
  EXAMPLE_REQUESTS_MAX,
  exampleRequests,
  STOPS_WHEN_CUT,
  STOPS_WITHOUT_VALUE,
  type StopsWhenCut,
  type StopsWithoutValue,
  share,
  tag,
  updateChainRequest,
} from '@catenary/contracts'
import { type Control, Controller, type UseFormReturn } from 'react-hook-form'
import * as z from 'zod'
import type { Difference } from '../../components/forms/conflict-panel.tsx'
import { type ConflictRows, differencesBetween, namesOf } from '../../components/forms/conflict-rows.ts'
import { FormSwitch } from '../../components/forms/form-switch.tsx'
import { SwitchField } from '../../components/forms/switch-field.tsx'
import { ChoiceSelect } from '../../components/ui/choice-select.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { slugField } from '../library/slug-field.tsx'
import { VISIBILITIES } from './share-state.tsx'

export const chainForm = updateChainRequest
  .omit({ tagIds: true, revision: true })
  .required()
  .extend({
    tags: z.array(tag),
    shares: z.array(share),
    slug: slugField,
    exampleRequests: z.string().transform((text, context) => {
      const { data, error } = exampleRequests.safeParse(linesOf(text))
      if (data) return data
      context.addIssue({ code: 'custom', message: error.issues[0]?.message ?? 'Invalid' })
      return z.NEVER
    }),
  })
export type ChainForm = z.infer<typeof chainForm>

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** While it is being filled in nothing is required; the defaults are a new chain's. */
export const chainInput = z.object({
  name: z.string().default(''),
  description: z.string().default(''),
  sharedLevel: chainSchema.shape.sharedLevel.default('private'),
  stopsWithoutValue: chainSchema.shape.stopsWithoutValue.default('unwatched'),
  stopsWhenCut: chainSchema.shape.stopsWhenCut.default('unwatched'),
  runsVisibleTo: chainSchema.shape.runsVisibleTo.default('editors'),
  asksFirst: chainSchema.shape.asksFirst.default(false),
  tags: z.array(tag).default([]),
  shares: z.array(share).default([]),
  exampleRequests: z.string().default(''),
  slug: z.string().default(''),
  note: z.string().default(''),
})
export type ChainFormInput = z.output<typeof chainInput>

export function formOf({
  exampleRequests,
  ...start
}: Partial<Omit<ChainFormInput, 'exampleRequests'> & Pick<Chain, 'exampleRequests'>>): ChainFormInput {
  return chainInput.parse({ ...start, exampleRequests: exampleRequests?.join('\n') })
}

export const STOP_LABEL = 'Stop when a value is unavailable'
export const STOPS: Record<StopsWithoutValue, string> = {
  unwatched: 'In scheduled runs and API calls',
  always: 'In every run',
  never: 'Never: send the reference as written',
}

export const CUT_LABEL = 'Stop when an answer is cut off'
export const CUT_STOPS: Record<StopsWhenCut, string> = {
  unwatched: STOPS.unwatched,
  always: STOPS.always,
  never: 'Never: continue with what has arrived',
}

const ASKS_LABEL = 'Agents ask before they run it'
const RUNS_LABEL = 'You and editors can see other people’s runs'

const rows: ConflictRows<Omit<ChainFormInput, 'shares' | 'note'>> = {
  name: 'Name',
  description: 'Description',
  sharedLevel: { label: 'Visibility', show: ({ sharedLevel }) => VISIBILITIES[sharedLevel].label },
  stopsWithoutValue: {
    label: STOP_LABEL,
    show: ({ stopsWithoutValue }) => STOPS[stopsWithoutValue],
  },
  stopsWhenCut: { label: CUT_LABEL, show: ({ stopsWhenCut }) => CUT_STOPS[stopsWhenCut] },
  runsVisibleTo: {
    label: RUNS_LABEL,
    show: ({ runsVisibleTo }) => (runsVisibleTo === 'editors' ? 'Yes' : 'No'),
  },
  asksFirst: { label: ASKS_LABEL, show: ({ asksFirst }) => (asksFirst ? 'Yes' : 'No') },
  exampleRequests: 'Example requests',
  tags: { label: 'Tags', show: ({ tags }) => namesOf(tags) },
  slug: 'Slug',
}

export function differencesOf({ mine, theirs }: { mine: ChainFormInput; theirs: Chain }): Difference[] {
  return differencesBetween({ rows, mine, theirs: formOf(theirs) })
}

export function ChainFields({
  form: { register, formState },
}: {
  form: UseFormReturn<ChainFormInput, unknown, ChainForm>
}) {
  const { errors } = formState
  return (
    <>
      <Field label="Name" error={errors.name?.message}>
        <Input autoComplete="off" {...register('name')} />
      </Field>
      <Field label="Description" error={errors.description?.message}>
        <Textarea rows={3} className="max-h-60" {...register('description')} />
      </Field>
      <Field
        label="Example requests"
        hint={`Requests that this chain should answer, one per line, at most ${EXAMPLE_REQUESTS_MAX}. Best Chain uses them to choose.`}
        error={errors.exampleRequests?.message}
      >
        <Textarea
          rows={2}
          placeholder="Which customers complained this week?"
          className="max-h-48"
          {...register('exampleRequests')}
        />
      </Field>
    </>
  )
}

export function RunsVisibleToField({
  form: { control },
}: {
  form: UseFormReturn<ChainFormInput, unknown, ChainForm>
}) {
  return (
    <Controller
      control={control}
      name="runsVisibleTo"
      render={({ field: { value, onChange, onBlur } }) => (
        <SwitchField
          label={RUNS_LABEL}
          hint={
            value === 'editors'
              ? 'For runs with private variables they only see metrics. People are told this before they run it.'
              : 'Only the person who starts a run sees it. Earlier runs stay private when you turn this on.'
          }
          checked={value === 'editors'}
          onChange={(isOn) => onChange(isOn ? 'editors' : 'runner')}
          onBlur={onBlur}
        />
      )}
    />
  )
}

export function AsksFirstField({
  form: { control },
}: {
  form: UseFormReturn<ChainFormInput, unknown, ChainForm>
}) {
  return (
    <FormSwitch
      control={control}
      name="asksFirst"
      label={ASKS_LABEL}
      hint="Agents connected over MCP are told to ask their user before each run."
    />
  )
}

export function StopFields({
  form: { control },
}: {
  form: UseFormReturn<ChainFormInput, unknown, ChainForm>
}) {
  return (
    <>
      <StopField
        control={control}
        name="stopsWithoutValue"
        label={STOP_LABEL}
        hint="The run names the variable. You can resume it once the value is there."
        choices={STOPS_WITHOUT_VALUE.map((value) => ({ value, label: STOPS[value] }))}
      />
      <StopField
        control={control}
        name="stopsWhenCut"
        label={CUT_LABEL}
        hint="Applies to every step but the last. The answer is kept, and you can resume from that step."
        choices={STOPS_WHEN_CUT.map((value) => ({ value, label: CUT_STOPS[value] }))}
      />
    </>
  )
}

interface StopFieldProps {
  control: Control<ChainFormInput, unknown, ChainForm>
  name: 'stopsWithoutValue' | 'stopsWhenCut'
  label: string
  hint: string
  choices: readonly { value: string; label: string }[]
}

function StopField({ control, name, label, hint, choices }: StopFieldProps) {
  return (
    <Field label={label} hint={hint}>
      <Controller
        control={control}
        name={name}
        render={({ field: { value, onChange } }) => (
          <ChoiceSelect choices={choices} value={value} onChange={onChange} />
        )}
      />
    </Field>
  )
}
