import type { Chain, ChainStep, Condition, ForEach, Prompt } from '@catenary/contracts'
import type { CheckedStep } from '@catenary/domain'
import type { ComponentType } from 'react'
import type * as z from 'zod'
import type { ConflictRows } from '../../../components/forms/conflict-rows.ts'
import type {
  EditorOutput,
  EditorVariable,
} from '../../../components/prompt-editor/prompt-editor-completion.ts'
import type { FieldChange } from '../../../components/text-diff/field-changes.tsx'
import type { StepFormInput, StepInputForm } from './step-input.ts'

/** All that forms, checks and versions ask of a kind of step. */
export interface KindForm {
  /** The form from its top to when the step runs. */
  Fields: ComponentType<KindFieldsProps>
  /** In the form right above when the step runs. */
  Output?: ComponentType<KindFieldsProps>
  /** The form from when the step runs to its end. */
  Settings?: ComponentType<KindFieldsProps>
  /** Whether a run may go on from its failure. */
  mayFail: boolean
  /** What its output when skipped may be; null: it has no output. */
  defaultHint: (values: StepFormInput) => string | null
  /** The form as it may be saved: a request to create or change a step. */
  form: (shared: SharedForm) => z.core.$ZodTypeDiscriminable
  /** What is there of it already, for the checks while it is filled in. */
  checked: (values: StepFormInput, ready: ReadyParts) => CheckedStep
  own?: OwnFields
}

export interface KindFieldsProps {
  form: StepInputForm
  values: StepFormInput
  chain: Chain
  step: ChainStep | null
  /** What the step's texts may name. */
  templates: StepTemplates
  /** Of earlier steps and of the run, without those of an item. */
  earlierOutputs: readonly EditorOutput[]
}

interface StepTemplates {
  variables: readonly EditorVariable[]
  outputs: readonly EditorOutput[]
  onCreateVariable: (name: string) => void
}

/** Fields of several kinds, as they may be saved. */
export interface SharedForm {
  title: z.ZodType<string>
  outputVariableName: z.ZodType<string>
  position: z.ZodType<number>
}

/** What checks read of any step, ready for them, and of the prompt that it is linked to. */
interface ReadyParts {
  onlyIf: Condition | undefined
  forEach: ForEach | undefined
  linked: Pick<Prompt, 'systemPrompt' | 'messages' | 'output'> | undefined
}

/** What a kind has beside the fields that every step is stored with. */
export interface OwnFields {
  inputOf: (step: ChainStep) => Partial<StepFormInput>
  rows: Partial<ConflictRows<StepFormInput>>
  /** The templates among its fields, each changed. */
  textsWith: (values: StepFormInput, change: (text: string) => string) => Partial<StepFormInput>
  /** What of its fields this device does not keep as it is, as it keeps it. */
  draftOf?: (values: StepFormInput) => Partial<StepFormInput>
  /** The field of the form for one that the server refuses. */
  fieldOf?: (path: string, values: StepFormInput) => string
  /** What of two versions differs in a word or a sentence. */
  changes: (sides: StepSides) => FieldChange[]
  /** The same of its texts. */
  textChanges: (sides: StepSides) => FieldChange[]
}

/** Two versions of a step; an empty one where it was added or taken out. */
interface StepSides {
  before: Partial<ChainStep>
  after: Partial<ChainStep>
}
