import * as z from 'zod'
import { flowForm } from '../flow/flow-form.ts'
import type { KindForm, SharedForm } from '../kind-form.ts'
import { ToolAnswer, ToolFields, ToolSettings } from './tool-fields.tsx'
import {
  checkTool,
  readyToolOf,
  stepToolOf,
  toolChanges,
  toolFieldOf,
  toolForm,
  toolInputOf,
  toolRows,
  toolTextChanges,
  toolTextsWith,
} from './tool-form.ts'

/** Calls a service. */
export const toolKind = {
  Fields: ToolFields,
  Output: ToolAnswer,
  Settings: ToolSettings,
  mayFail: true,
  defaultHint: ({ answer }) =>
    answer.type === 'json'
      ? 'JSON that fits its schema, or nothing.'
      : 'Later steps get it in place of an answer.',
  form: (shared: SharedForm) =>
    z
      .object({ kind: z.literal('tool'), ...shared, ...flowForm, ...toolForm })
      .superRefine(checkTool)
      .transform(
        ({
          kind,
          title,
          outputVariableName,
          position,
          onlyIf,
          forEach,
          default: value,
          ifItFails,
          ...called
        }) => ({
          kind,
          title,
          outputVariableName,
          position,
          onlyIf,
          forEach,
          default: value,
          ifItFails,
          model: null,
          tool: stepToolOf(called),
        }),
      ),
  checked: (values, { onlyIf, forEach }) => ({
    content: '',
    outputVariableName: values.outputVariableName,
    onlyIf,
    forEach,
    default: values.default || undefined,
    ifItFails: values.ifItFails,
    tool: readyToolOf(values),
  }),
  own: {
    inputOf: toolInputOf,
    rows: toolRows,
    textsWith: toolTextsWith,
    fieldOf: toolFieldOf,
    changes: toolChanges,
    textChanges: toolTextChanges,
  },
} satisfies KindForm
