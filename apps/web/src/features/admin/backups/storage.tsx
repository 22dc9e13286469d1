import { type RetentionState, retentionSettings } from '@catenary/contracts'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { CircleAlertIcon, TriangleAlertIcon } from 'lucide-react'
import { useForm } from 'react-hook-form'
import * as z from 'zod'
import { ErrorState } from '../../../components/error-state.tsx'
import { Fact } from '../../../components/fact.tsx'
import { SettingsPart } from '../../../components/settings-panel.tsx'
import { Time } from '../../../components/time/time.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { NumberInput } from '../../../components/ui/number-input.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { formatBytes } from '../../../lib/text/bytes.ts'
import { countText } from '../../../lib/text/count-text.ts'
import { numberText, typedNumber } from '../../../lib/text/number-of.ts'
import { toast } from '../../../lib/toast.ts'
import { retentionQuery, useSetRetention } from '../admin.queries.ts'

const { runDays, textDays, keyHours, activityDays } = retentionSettings.shape
const storageForm = z.object({
  runDays: typedNumber.pipe(runDays),
  textDays: typedNumber.pipe(textDays),
  keyHours: typedNumber.pipe(keyHours),
  activityDays: typedNumber.pipe(activityDays),
})

const FIELDS = [
  { name: 'runDays', label: 'Keep runs for (days)', placeholder: 'forever' },
  { name: 'textDays', label: 'Keep their texts for (days)', placeholder: 'forever' },
  { name: 'keyHours', label: 'Keep saved replies for (hours)', placeholder: '24' },
  { name: 'activityDays', label: 'Keep the activity for (days)', placeholder: 'forever' },
] as const

export function Storage() {
  const { data, error, refetch } = useQuery(retentionQuery)
  return (
    <SettingsPart
      title="Storage"
      description="How much space runs use, and how long they and the activity are kept."
    >
      {data ? (
        <>
          <StorageFacts state={data} />
          <RetentionForm state={data} />
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : (
        <Skeleton className="h-44" />
      )}
    </SettingsPart>
  )
}

function StorageFacts({ state: { sizes, last } }: { state: RetentionState }) {
  const { runs, texts, keys, database } = sizes
  return (
    <div className="rounded-card border border-line px-3.5 py-3">
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(132px,1fr))] gap-x-4 gap-y-2.5 text-sm">
        <Fact name="Runs">
          {formatBytes(runs.bytes)}, about {runs.rows.toLocaleString('en')}
        </Fact>
        <Fact name="Their long texts">{formatBytes(texts.bytes)}</Fact>
        <Fact name="Saved replies (idempotency)">
          {formatBytes(keys.bytes)}, about {keys.rows.toLocaleString('en')}
        </Fact>
        <Fact name="The whole database">{formatBytes(database.bytes)}</Fact>
        <Fact name="Last cleanup">{last === null ? 'not yet' : <Time time={last.at} />}</Fact>
        <Fact name="It deleted">
          {last === null
            ? '–'
            : `${countText(last.runs, 'run')}, texts of ${last.texts.toLocaleString('en')}`}
        </Fact>
      </dl>
    </div>
  )
}

function RetentionForm({ state: { settings } }: { state: RetentionState }) {
  const save = useSetRetention()
  const { register, handleSubmit, formState, watch } = useForm({
    resolver: zodResolver(storageForm),
    values: {
      runDays: numberText(settings.runDays),
      textDays: numberText(settings.textDays),
      keyHours: numberText(settings.keyHours),
      activityDays: numberText(settings.activityDays),
    },
  })
  const { errors, isDirty, dirtyFields } = formState
  const [days, daysOfTexts, daysOfActivity] = watch(['runDays', 'textDays', 'activityDays'])
  const endsActivity = dirtyFields.activityDays === true && daysOfActivity !== ''
  const submit = handleSubmit((wanted) =>
    save.mutate(wanted, {
      onSuccess: () => toast({ title: 'Storage settings saved', description: 'They apply from now on.' }),
    }),
  )
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {save.error && (
        <Banner variant="danger" role="alert" icon={<CircleAlertIcon />}>
          {errorReason(save.error)}
        </Banner>
      )}
      <div className="grid gap-4 sm:grid-cols-2 sm:items-end">
        {FIELDS.map(({ name, label, placeholder }) => (
          <Field key={name} label={label} error={errors[name]?.message}>
            <NumberInput isWhole placeholder={placeholder} {...register(name)} />
          </Field>
        ))}
      </div>
      <p className="text-xs text-text-3">
        Without its texts a run keeps its metrics but can’t be resumed. Space from deleted runs is reused;{' '}
        <code>npm run compact</code> returns it to the disk.
      </p>
      {isDirty && (days !== '' || daysOfTexts !== '' || endsActivity) && (
        <Banner role="status" icon={<TriangleAlertIcon />}>
          Older ones are permanently deleted when you save.
        </Banner>
      )}
      <Button type="submit" disabled={!isDirty} pending={save.isPending} className="justify-self-start">
        Save
      </Button>
    </form>
  )
}
