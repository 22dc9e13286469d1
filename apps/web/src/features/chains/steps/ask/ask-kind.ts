import * as z from 'zod'
import { flowForm } from '../flow/flow-form.ts'
import type { KindForm, SharedForm } from '../kind-form.ts'
import { AskFields } from './ask-fields.tsx'
import {
  askChanges,
  askFieldOf,
  askForm,
  askInputOf,
  askRows,
  askTextChanges,
  checkAsk,
  readyAskOf,
  stepAskOf,
} from './ask-form.ts'

/** Asks people. */
export const askKind = {
  Fields: AskFields,
  mayFail: false,
  defaultHint: () => 'JSON, such as {"decision": "approve"}, or nothing.',
  form: (shared: SharedForm) =>
    z
      .object({
        kind: z.literal('ask'),
        ...shared,
        onlyIf: flowForm.onlyIf,
        default: flowForm.default,
        ...askForm,
      })
      .superRefine(checkAsk)
      .transform(({ kind, title, outputVariableName, position, onlyIf, default: value, ...asked }) => ({
        kind,
        title,
        outputVariableName,
        position,
        onlyIf,
        default: value,
        model: null,
        ask: stepAskOf(asked),
      })),
  checked: (values, { onlyIf }) => ({
    content: '',
    outputVariableName: values.outputVariableName,
    onlyIf,
    default: values.default || undefined,
    ask: readyAskOf(values),
  }),
  own: {
    inputOf: ({ ask }) => askInputOf(ask),
    rows: askRows,
    textsWith: ({ askText }, change) => ({ askText: change(askText) }),
    fieldOf: askFieldOf,
    changes: askChanges,
    textChanges: askTextChanges,
  },
} satisfies KindForm
