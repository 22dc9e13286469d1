import { DEFAULT_STEP_MODEL, STEP_KINDS, type StepKind } from '@catenary/contracts'
import type { UseFormReturn } from 'react-hook-form'
import * as z from 'zod'
import type { ConflictRows } from '../../../components/forms/conflict-rows.ts'
import { showOutput } from '../../model-settings/output/output-form.ts'
import { outputInput } from '../../model-settings/output/output-value.ts'
import { settingRows } from '../../model-settings/settings-text.ts'
import { settingsInput } from '../../model-settings/settings-value.ts'
import { TOKENS_LABEL } from '../tokens-label.ts'
import { askInput } from './ask/ask-form.ts'
import { flowInput } from './flow/flow-form.ts'
import { stopInput } from './stop/stop-form.ts'
import { toolInput } from './tool/tool-form.ts'

/** Of a step that names none, as all were before there were others. */
export const DEFAULT_KIND: StepKind = 'prompt'

const text = z.string().default('')

/** What steps of every kind are stored with. */
const storedInput = {
  model: z.string().default(DEFAULT_STEP_MODEL),
  outputVariableName: text,
  promptId: z.int().nullable().default(null),
  promptLabel: z.string().nullable().default(null),
  promptVersion: z.int().nullable().default(null),
  title: text,
  content: text,
  position: text,
  ...settingsInput,
  output: outputInput,
}
const stored = z.object(storedInput)

/**
 * While it is being filled in nothing is required, and numbers are as they are typed; the defaults are a new step's.
 * The fields of all kinds stand side by side, so that what was typed is still there after a look at another kind.
 */
export const stepInput = z.object({
  kind: z.enum(STEP_KINDS).default(DEFAULT_KIND),
  ...storedInput,
  ...flowInput,
  ...stopInput,
  ...askInput,
  ...toolInput,
})
export type StepFormInput = z.output<typeof stepInput>
export type StepInputForm = UseFormReturn<StepFormInput>

export const storedRows: ConflictRows<z.output<typeof stored>> = {
  model: 'Model',
  outputVariableName: 'Output variable name',
  promptId: {
    label: 'Prompt',
    show: ({ promptId }) => (promptId === null ? 'Custom' : String(promptId)),
  },
  promptLabel: { label: 'Label of the prompt', show: ({ promptLabel }) => promptLabel ?? 'None' },
  promptVersion: {
    label: 'Version of the prompt',
    show: ({ promptVersion }) => (promptVersion === null ? 'Any' : String(promptVersion)),
  },
  title: 'Title',
  content: 'Content',
  position: 'Position',
  ...settingRows({ tokensLabel: TOKENS_LABEL }),
  output: { label: 'Output', show: ({ output }) => showOutput(output) },
}
