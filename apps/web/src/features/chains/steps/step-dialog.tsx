import { TriangleAlertIcon } from 'lucide-react'
import { useMemo } from 'react'
import { Controller } from 'react-hook-form'
import { FocusTarget } from '../../../components/focus-target.tsx'
import { DraftFormDialog } from '../../../components/forms/draft-form-dialog.tsx'
import type { EditorVariable } from '../../../components/prompt-editor/prompt-editor-completion.ts'
import { Banner } from '../../../components/ui/banner.tsx'
import { OthersNames } from '../../fills/others-names.tsx'
import { OutputFields } from '../../model-settings/output/output-fields.tsx'
import { useEditorVariables } from '../../variables/use-editor-variables.ts'
import { useNewVariable } from '../../variables/use-new-variable.tsx'
import { StepAdvanced } from './step-advanced.tsx'
import { StepFields, type StepFieldsProps } from './step-fields.tsx'
import { useStepChecks } from './use-step-checks.ts'
import { type UseStepFormOptions, useStepForm } from './use-step-form.ts'

const NO_VARIABLES: readonly EditorVariable[] = []

export default function StepDialog(options: UseStepFormOptions) {
  const { chain, step } = options
  const variables = useEditorVariables()
  const { createVariable, newVariable } = useNewVariable()
  const { form, values, dialog } = useStepForm(options)
  const names = useMemo(() => variables?.map(({ name }) => name), [variables])
  const checks = useStepChecks({ steps: chain.steps, step, values, variables: names })
  return (
    <>
      <DraftFormDialog
        title={step ? 'Edit Step' : 'Add Step'}
        description={`Step ${checks.index + 1} of “${chain.name}”`}
        submitLabel={step ? 'Save Changes' : 'Add Step'}
        pendingLabel="Saving..."
        {...dialog}
        className="max-w-[640px]"
      >
        <StepFields
          form={form}
          values={values}
          step={step}
          variables={variables ?? NO_VARIABLES}
          outputs={checks.outputs}
          onCreateVariable={createVariable}
        />
        <OthersNames names={step?.othersNames} />
        <StepOutputField form={form} />
        <StepAdvanced form={form} values={values} />
        {checks.warnings.length > 0 && (
          <Banner role="status" aria-label="Warnings" icon={<TriangleAlertIcon className="self-start" />}>
            <ul className="grid gap-1">
              {checks.warnings.map(({ kind, step, name, message }) => (
                <li key={`${kind}.${step}.${name}`}>
                  {step !== null && step !== checks.index && <strong>Step {step + 1}: </strong>}
                  {message}
                </li>
              ))}
            </ul>
          </Banner>
        )}
      </DraftFormDialog>
      {newVariable}
    </>
  )
}

function StepOutputField({ form: { control, formState } }: Pick<StepFieldsProps, 'form'>) {
  return (
    <Controller
      control={control}
      name="output"
      render={({ field: { ref, value, onChange, onBlur } }) => (
        <FocusTarget ref={ref} selector="[aria-invalid], [data-add-field]">
          <OutputFields
            value={value}
            onChange={onChange}
            onBlur={onBlur}
            error={formState.errors.output?.message}
          />
        </FocusTarget>
      )}
    />
  )
}
