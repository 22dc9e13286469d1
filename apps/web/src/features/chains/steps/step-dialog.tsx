import { SYSTEM_PROMPT_MAX } from '@catenary/contracts'
import type { ChainWarning } from '@catenary/domain'
import { TriangleAlertIcon } from 'lucide-react'
import { useMemo, useState } from 'react'
import { DraftFormDialog } from '../../../components/forms/draft-form-dialog.tsx'
import { Fold } from '../../../components/forms/fold.tsx'
import type { EditorVariable } from '../../../components/prompt-editor/prompt-editor-completion.ts'
import { Banner } from '../../../components/ui/banner.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { NumberInput } from '../../../components/ui/number-input.tsx'
import { Textarea } from '../../../components/ui/textarea.tsx'
import { OthersNames } from '../../fills/others-names.tsx'
import { FallbackModels } from '../../model-settings/fallback-models.tsx'
import { EffortField, MaxTokensField, TemperatureField } from '../../model-settings/model-settings.tsx'
import { FormOutput } from '../../model-settings/output/output-fields.tsx'
import { settingsFormOf } from '../../model-settings/settings-value.ts'
import { StopTexts } from '../../model-settings/stop-texts.tsx'
import { useEditorVariables } from '../../variables/use-editor-variables.ts'
import { useNewVariable } from '../../variables/use-new-variable.tsx'
import { TOKENS_LABEL } from '../tokens-label.ts'
import { isAboutVariable, WarningText, type WaysOut } from '../warning-text.tsx'
import { AskFields } from './ask/ask-fields.tsx'
import { askFormOf } from './ask/ask-form.ts'
import { FlowFields } from './flow/flow-fields.tsx'
import { flowFormOf } from './flow/flow-form.ts'
import { LoopFields } from './flow/loop-fields.tsx'
import { KindChoice, StopFields } from './flow/stop-fields.tsx'
import { PreviewButton } from './preview/preview-button.tsx'
import { StepFields, type StepFieldsProps } from './step-fields.tsx'
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
      const change = { shouldDirty: true }
      form.setValue('content', content, change)
      form.setValue('systemPrompt', systemPrompt ?? '', change)
      form.setValue('messages', messages, change)
      form.setValue('askText', textWithInput(values.askText, name), change)
      form.setValue('stopText', textWithInput(values.stopText, name), change)
      form.setValue('onlyIf', conditionWithInput(values.onlyIf, name), change)
      form.setValue('forEach', loopWithInput(values.forEach, name), change)
    }
    const isOwnText = about === checks.index && values.promptId === null
    return { createVariable: () => createVariable(name), takeInput: isOwnText ? takeInput : undefined }
  }
  const outputs = useMemo(
    () => [...checks.itemOutputs, ...checks.outputs],
    [checks.itemOutputs, checks.outputs],
  )
  const templates = { variables: variables ?? NO_VARIABLES, outputs, onCreateVariable: createVariable }
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
        {values.kind === 'prompt' && <StepFields form={form} values={values} step={step} {...templates} />}
        {values.kind === 'ask' && (
          <AskFields
            form={askFormOf(form)}
            chain={chain}
            outputName={values.outputVariableName}
            templates={templates}
          />
        )}
        {values.kind === 'stop' && <StopFields form={flowFormOf(form)} templates={templates} />}
        <OthersNames names={step?.othersNames} />
        {values.kind === 'prompt' && (
          <FormOutput control={form.control} name="output" error={form.formState.errors.output?.message} />
        )}
        <FlowFields
          form={flowFormOf(form)}
          outputs={outputs}
          variables={templates.variables}
          isJson={values.kind === 'ask' || values.output.type === 'json'}
        />
        {values.kind === 'prompt' && (
          <LoopFields form={flowFormOf(form)} outputs={checks.outputs} variables={templates.variables} />
        )}
        {values.kind === 'prompt' && <StepAdvanced form={form} values={values} />}
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

const SETTINGS = [
  'systemPrompt',
  'effort',
  'temperature',
  'maxTokens',
  'stop',
  'fallbackModel',
  'moreFallbackModels',
] as const

function StepAdvanced({ form, values }: Pick<StepFieldsProps, 'form' | 'values'>) {
  const { errors } = form.formState
  const settings = settingsFormOf(form)
  const asked = { form: settings, model: values.model }
  const [isOpened, setIsOpened] = useState(() => SETTINGS.some((name) => (values[name]?.length ?? 0) > 0))
  const isRefused = [...SETTINGS, 'position' as const].some((name) => errors[name] !== undefined)
  const isOpen = isOpened || isRefused
  return (
    <Fold label="Advanced" isOpen={isOpen} onOpenChange={setIsOpened}>
      {values.promptId !== null && (
        <p className="text-xs text-text-3">
          Anything not set here comes from the linked prompt, except the models.
        </p>
      )}
      <FallbackModels {...asked} />
      <Field label="System prompt" error={errors.systemPrompt?.message}>
        <Textarea
          rows={3}
          maxLength={SYSTEM_PROMPT_MAX}
          className="max-h-60"
          {...form.register('systemPrompt')}
        />
      </Field>
      <EffortField {...asked} />
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <TemperatureField {...asked} />
        <MaxTokensField form={settings} label={TOKENS_LABEL} />
        <Field label="Position" hint="steps run from lowest to highest" error={errors.position?.message}>
          <NumberInput isWhole placeholder="0" {...form.register('position')} />
        </Field>
      </div>
      <StopTexts {...asked} />
    </Fold>
  )
}
