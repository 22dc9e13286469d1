import {
  type Chain,
  chain as chainSchema,
  chainShare,
  STOPS_WITHOUT_VALUE,
  type StopsWithoutValue,
  tag,
  updateChainRequest,
} from '@catenary/contracts'
import { Controller, type UseFormReturn } from 'react-hook-form'
import * as z from 'zod'
import type { Difference } from '../../components/conflict-panel.tsx'
import { type ConflictRows, differencesBetween, namesOf } from '../../components/conflict-rows.ts'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '../../components/ui/select.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { VISIBILITIES } from './share-state.tsx'

/** What is saved: the request's fields, with whole tags and the people of the list that is saved by its own call. */
export const chainForm = updateChainRequest
  .omit({ tagIds: true, revision: true })
  .required()
  .extend({ tags: z.array(tag), shares: z.array(chainShare) })
export type ChainForm = z.infer<typeof chainForm>

/** While it is being filled in nothing is required; the defaults are a new chain's. */
export const chainInput = z.object({
  name: z.string().default(''),
  description: z.string().default(''),
  sharedLevel: chainSchema.shape.sharedLevel.default('private'),
  stopsWithoutValue: chainSchema.shape.stopsWithoutValue.default('unwatched'),
  tags: z.array(tag).default([]),
  shares: z.array(chainShare).default([]),
})
export type ChainFormInput = z.output<typeof chainInput>

/** What the form shows at first: a stored chain and its shares, or what a new one begins with. */
export function formOf(start: Partial<ChainFormInput>): ChainFormInput {
  return chainInput.parse(start)
}

const STOP_LABEL = 'Stop when a value can’t be had'
const STOPS: Record<StopsWithoutValue, string> = {
  unwatched: 'In scheduled runs and API calls',
  always: 'In every run',
  never: 'Never: send the reference as it is written',
}

/** How a conflict names and shows each field; who it is shared with is saved by a call of its own. */
const rows: ConflictRows<Omit<ChainFormInput, 'shares'>> = {
  name: 'Name',
  description: 'Description',
  sharedLevel: { label: 'Visibility', show: ({ sharedLevel }) => VISIBILITIES[sharedLevel].label },
  stopsWithoutValue: {
    label: STOP_LABEL,
    show: ({ stopsWithoutValue }) => STOPS[stopsWithoutValue],
  },
  tags: { label: 'Tags', show: ({ tags }) => namesOf(tags) },
}

/** What the person's form and the stored chain do not share. */
export function differencesOf({ mine, theirs }: { mine: ChainFormInput; theirs: Chain }): Difference[] {
  return differencesBetween({ rows, mine, theirs: formOf(theirs) })
}

/** The inputs that a new chain and a stored one have alike. */
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
    </>
  )
}

/** Which runs fail rather than go without the value of a variable. */
export function StopsWithoutValueField({
  form: { control },
}: {
  form: UseFormReturn<ChainFormInput, unknown, ChainForm>
}) {
  return (
    <Field
      label={STOP_LABEL}
      hint="A run that stops names the variable, and can be resumed once it has its value."
    >
      <Controller
        control={control}
        name="stopsWithoutValue"
        render={({ field: { value, onChange } }) => (
          <Select value={value} onValueChange={onChange}>
            <SelectTrigger>
              <SelectValue />
            </SelectTrigger>
            <SelectContent>
              {STOPS_WITHOUT_VALUE.map((choice) => (
                <SelectItem key={choice} value={choice}>
                  {STOPS[choice]}
                </SelectItem>
              ))}
            </SelectContent>
          </Select>
        )}
      />
    </Field>
  )
}
