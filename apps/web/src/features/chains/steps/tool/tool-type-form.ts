import type { StepTool } from '@catenary/contracts'
import type { ComponentType } from 'react'
import type * as z from 'zod'
import type { flowForm } from '../flow/flow-form.ts'
import type { KindFieldsProps, OwnFields, SharedForm } from '../kind-form.ts'
import type { StepFormInput } from '../step-input.ts'

/** What the form of a step that does something outside asks of its type. */
export interface ToolTypeForm extends Required<Omit<OwnFields, 'draftOf'>>, Pick<OwnFields, 'draftOf'> {
  label: string
  /** What is done, where. */
  Fields: ComponentType<KindFieldsProps>
  /** What comes back. */
  Answer?: ComponentType<KindFieldsProps>
  Settings?: ComponentType<KindFieldsProps>
  givesJson: (values: StepFormInput) => boolean
  /** The form as it may be saved, with its tool. */
  form: (shared: ToolShared) => z.core.$ZodTypeDiscriminable
  /** What is there of it already, for the checks while it is filled in. */
  ready: (values: StepFormInput) => StepTool
}

export type ToolShared = SharedForm & typeof flowForm & { kind: z.ZodLiteral<'tool'> }
