import * as z from 'zod'
import { changesOf, flowForm } from '../flow/flow-form.ts'
import type { KindForm, SharedForm } from '../kind-form.ts'
import type { StepFormInput } from '../step-input.ts'
import type { ToolSides } from './stored-tool.ts'
import { ToolAnswer, ToolFields, ToolSettings } from './tool-fields.tsx'
import { EACH_TYPE, TOOL_FORMS, typeFormOf } from './tool-forms.ts'
import type { ToolTypeForm } from './tool-type-form.ts'

type SavedForm = ReturnType<(typeof TOOL_FORMS)[keyof typeof TOOL_FORMS]['form']>

const TYPE_LABEL = 'What it does'

/** What each type has of something that they have together. */
function ofEach<Part extends object>(partOf: (form: ToolTypeForm) => Part): Part {
  return Object.assign({}, ...EACH_TYPE.map(partOf))
}

/** Does something outside. */
export const toolKind = {
  Fields: ToolFields,
  Output: ToolAnswer,
  Settings: ToolSettings,
  mayFail: true,
  defaultHint: (values) =>
    typeFormOf(values.toolType).givesJson(values)
      ? 'JSON that fits its schema, or nothing.'
      : 'Later steps get it in place of an answer.',
  form(shared: SharedForm) {
    const all = { kind: z.literal('tool'), ...shared, ...flowForm }
    const forms = Object.values(TOOL_FORMS).map(({ form }) => form(all))
    return z.discriminatedUnion('toolType', forms as [SavedForm, ...SavedForm[]]).transform(stepOf)
  },
  checked: (values, { onlyIf, forEach }) => ({
    content: '',
    outputVariableName: values.outputVariableName,
    onlyIf,
    forEach,
    default: values.default || undefined,
    ifItFails: values.ifItFails,
    tool: typeFormOf(values.toolType).ready(values),
  }),
  own: {
    inputOf: (step) => ({
      toolType: step.tool?.type ?? 'http',
      ...ofEach(({ inputOf }) => inputOf(step)),
    }),
    rows: {
      toolType: { label: TYPE_LABEL, show: ({ toolType }) => typeFormOf(toolType).label },
      ...ofEach(({ rows }) => rows),
    },
    textsWith: (values: StepFormInput, change) => ofEach(({ textsWith }) => textsWith(values, change)),
    draftOf: (values: StepFormInput) => ofEach(({ draftOf }) => draftOf?.(values) ?? {}),
    fieldOf: (path, values) => typeFormOf(values.toolType).fieldOf(path, values),
    changes: (sides) => [...typeChange(sides), ...EACH_TYPE.flatMap(({ changes }) => changes(sides))],
    textChanges: (sides) => EACH_TYPE.flatMap(({ textChanges }) => textChanges(sides)),
  },
} satisfies KindForm

/** Of a step that was one of another type. */
function typeChange({ before, after }: ToolSides) {
  return before.tool && after.tool
    ? changesOf({ before: before.tool, after: after.tool }, [
        { label: TYPE_LABEL, show: ({ type }) => typeFormOf(type).label },
      ])
    : []
}

/** Only what is sent of any step, and its tool. */
function stepOf({ kind, title, outputVariableName, position, ...values }: z.output<SavedForm>) {
  const { onlyIf, forEach, default: text, ifItFails, tool } = values
  return {
    kind,
    title,
    outputVariableName,
    position,
    onlyIf,
    forEach,
    default: text,
    ifItFails,
    model: null,
    tool,
  }
}
