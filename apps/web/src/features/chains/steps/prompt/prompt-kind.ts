import { updateStepRequest } from '@catenary/contracts'
import * as z from 'zod'
import { outputForm } from '../../../model-settings/output/output-form.ts'
import { settingsForm } from '../../../model-settings/settings-form.ts'
import { TOKENS_LABEL } from '../../tokens-label.ts'
import { flowForm } from '../flow/flow-form.ts'
import type { KindForm, SharedForm } from '../kind-form.ts'
import { PromptFields } from './prompt-fields.tsx'
import { PromptOutput, PromptSettings } from './prompt-settings.tsx'

/** Asks a model. */
export const promptKind = {
  Fields: PromptFields,
  Output: PromptOutput,
  Settings: PromptSettings,
  mayFail: true,
  defaultHint: ({ output }) =>
    output.type === 'json'
      ? 'JSON that fits its schema, or nothing.'
      : 'Later steps get it in place of an answer.',
  form: (shared: SharedForm) =>
    updateStepRequest
      .omit({ note: true, revision: true, ask: true, tool: true })
      .required()
      .extend({
        kind: z.literal('prompt'),
        ...shared,
        ...settingsForm({ tokensLabel: TOKENS_LABEL }),
        output: outputForm,
        ...flowForm,
      })
      .strip()
      .transform(({ kind: _, ...step }) => step),
  checked: (values, { onlyIf, forEach, linked }) => {
    const { content, systemPrompt, messages, output, outputVariableName, ifItFails } = values
    return {
      content,
      systemPrompt: systemPrompt || linked?.systemPrompt,
      messages: messages.length > 0 ? messages : linked?.messages,
      outputVariableName,
      output: 'schema' in output ? output : linked?.output,
      onlyIf,
      forEach,
      default: values.default || undefined,
      ifItFails,
    }
  },
} satisfies KindForm
