import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../components/error-state.tsx'
import { SettingsPanel } from '../../components/settings-panel.tsx'
import { ChoiceSelect } from '../../components/ui/choice-select.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { accountQuery, useUpdateAccount } from '../accounts/own-account.queries.ts'
import { useModelChoices, useModels, usualOf } from './models.ts'

const USUAL = '-'

/** The model that a run and a new step begin with where none is set. */
export default function DefaultModelPanel() {
  const { data, error, refetch } = useQuery(accountQuery)
  const { mutate: update } = useUpdateAccount()
  const models = useModels()
  const value = data?.defaultModel ?? null
  const usual = usualOf(models)
  const choices = useModelChoices(value)
  const isReady = value === null || models.find(({ alias }) => alias === value)?.configured
  return (
    <SettingsPanel
      title="Default model"
      description="Execute and new steps use it when a prompt has no model of its own."
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : data ? (
        <Field
          label="Default model"
          hideLabel
          hint={isReady ? undefined : 'It isn’t available now, so Catenary’s default is used instead.'}
        >
          <ChoiceSelect
            choices={[
              { value: USUAL, label: usual ? `Catenary’s default (${usual.label})` : 'Catenary’s default' },
              ...choices,
            ]}
            value={value ?? USUAL}
            onChange={(alias) => update({ defaultModel: alias === USUAL ? null : alias })}
          />
        </Field>
      ) : (
        <Skeleton className="h-8" />
      )}
    </SettingsPanel>
  )
}
