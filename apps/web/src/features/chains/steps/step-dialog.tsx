import { STEP_KINDS, type StepKind } from '@catenary/contracts'
import type { ChainWarning } from '@catenary/domain'
import { TriangleAlertIcon } from 'lucide-react'
import { useMemo } from 'react'
import { DraftFormDialog } from '../../../components/forms/draft-form-dialog.tsx'
import type { EditorVariable } from '../../../components/prompt-editor/prompt-editor-completion.ts'
import { Banner } from '../../../components/ui/banner.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../components/ui/segmented-control.tsx'
import { OthersNames } from '../../fills/others-names.tsx'
import { useEditorVariables } from '../../variables/use-editor-variables.ts'
import { useNewVariable } from '../../variables/use-new-variable.tsx'
import { isAboutVariable, WarningText, type WaysOut } from '../warning-text.tsx'
import { FlowFields } from './flow/flow-fields.tsx'
import type { KindFieldsProps } from './kind-form.ts'
import { kindFormOf } from './kind-forms.ts'
import { kindOf } from './kinds.tsx'
import { PreviewButton } from './preview/preview-button.tsx'
import { textsWith } from './step-form.ts'
import type { StepFormInput, StepInputForm } from './step-input.ts'
import { SealedState } from './tool/sealed-state.tsx'
import { useMaySaveTools } from './tool/tool-steps.queries.ts'
import { useStepChecks } from './use-step-checks.ts'
import { type UseStepFormOptions, useStepForm } from './use-step-form.ts'
import { conditionWithInput, loopWithInput, textWithInput, withInput } from './use-ways-out.ts'

const NO_VARIABLES: readonly EditorVariable[] = []

export default function StepDialog(options: UseStepFormOptions) {
  const { chain, step } = options
  const variables = useEditorVariables()
  const { createVariable, newVariable } = useNewVariable()
  const { form, values, dialog } = useStepForm(options)
  const names = useMemo(() => variables?.map(({ name }) => name), [variables])
  const checks = useStepChecks({ steps: chain.steps, step, values, variables: names })
  const waysOut = ({ kind, step: about, name }: ChainWarning): WaysOut => {
    if (!isAboutVariable({ kind, name }) || name === null) return {}
    const takeInput = () => {
      const { content, systemPrompt, messages } = withInput(values, name)
      const changed = {
        content,
        systemPrompt: systemPrompt ?? '',
        messages,
        ...textsWith(values, (text) => textWithInput(text, name)),
        onlyIf: conditionWithInput(values.onlyIf, name),
        forEach: loopWithInput(values.forEach, name),
      }
      for (const [field, value] of Object.entries(changed))
        form.setValue(field as keyof StepFormInput, value, { shouldDirty: true })
    }
    const isOwnText = about === checks.index && values.promptId === null
    return { createVariable: () => createVariable(name), takeInput: isOwnText ? takeInput : undefined }
  }
  const outputs = useMemo(
    () => [...checks.itemOutputs, ...checks.outputs],
    [checks.itemOutputs, checks.outputs],
  )
  const templates = { variables: variables ?? NO_VARIABLES, outputs, onCreateVariable: createVariable }
  const { Fields, Output, Settings, mayFail, defaultHint } = kindFormOf(values)
  const fields: KindFieldsProps = {
    // The type of a form says what it sends too, which no field asks for.
    form: form as unknown as StepInputForm,
    values,
    chain,
    step,
    templates,
    earlierOutputs: checks.outputs,
  }
  return (
    <>
      <DraftFormDialog
        title={step ? 'Edit Step' : 'Add Step'}
        description={`Step ${checks.index + 1} of “${chain.name}”`}
        submitLabel={step ? 'Save Changes' : 'Add Step'}
        pendingLabel="Saving..."
        headerActions={step && <PreviewButton chain={chain} step={step} isUnsaved={dialog.dirty} />}
        {...dialog}
        className="max-w-[640px]"
      >
        {step === null && (
          <KindChoice
            value={values.kind}
            onChange={(kind) => form.setValue('kind', kind, { shouldDirty: true })}
          />
        )}
        {step && <SealedState chain={chain} step={step} />}
        <Fields {...fields} />
        <OthersNames names={step?.othersNames} />
        {Output && <Output {...fields} />}
        <FlowFields
          form={fields.form}
          outputs={outputs}
          variables={templates.variables}
          mayFail={mayFail}
          defaultHint={defaultHint(values)}
        />
        {Settings && <Settings {...fields} />}
        {checks.warnings.length > 0 && (
          <Banner role="status" aria-label="Warnings" icon={<TriangleAlertIcon className="self-start" />}>
            <ul className="grid gap-1">
              {checks.warnings.map((warning) => {
                const { kind, step, name } = warning
                return (
                  <li key={`${kind}.${step}.${name}`}>
                    {step !== null && step !== checks.index && <strong>Step {step + 1}: </strong>}
                    <WarningText warning={warning} ways={waysOut(warning)} />
                  </li>
                )
              })}
            </ul>
          </Banner>
        )}
      </DraftFormDialog>
      {newVariable}
    </>
  )
}

interface KindChoiceProps {
  value: StepKind
  onChange: (kind: StepKind) => void
}

/** What a new step does. */
function KindChoice({ value, onChange }: KindChoiceProps) {
  const maySaveTools = useMaySaveTools()
  const choice = (
    <SegmentedControl
      aria-label="Kind of step"
      value={value}
      onValueChange={onChange}
      className="grid grid-cols-4 gap-2 max-sm:grid-cols-2 border-0 bg-transparent p-0"
    >
      {STEP_KINDS.map((kind) => {
        const { label, hint, Icon } = kindOf({ kind })
        return (
          <SegmentedControlItem
            key={kind}
            value={kind}
            disabled={kind === 'tool' && !maySaveTools}
            className="h-auto min-h-11 min-w-0 justify-start gap-2.5 rounded-control border border-line bg-surface px-3 py-1.5 text-start data-[state=on]:border-accent data-[state=on]:bg-accent-soft data-[state=on]:text-accent-text max-sm:flex-col max-sm:items-start max-sm:gap-1 max-sm:px-2.5 pointer-coarse:h-auto pointer-coarse:px-3"
          >
            <Icon />
            <span className="grid min-w-0">
              <span className="font-semibold">{label}</span>
              <span className="truncate text-xs font-normal text-text-2">{hint}</span>
            </span>
          </SegmentedControlItem>
        )
      })}
    </SegmentedControl>
  )
  if (maySaveTools) return choice
  return (
    <div className="grid gap-1.5">
      {choice}
      <p className="text-sm text-text-2">
        Only administrators may add steps that call services on this server.
      </p>
    </div>
  )
}
