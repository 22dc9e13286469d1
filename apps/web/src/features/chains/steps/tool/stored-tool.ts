import type { StepTool, ToolType } from '@catenary/contracts'
import type { FieldChange } from '../../../../components/text-diff/field-changes.tsx'
import { changesOf } from '../flow/flow-form.ts'

export interface StoredTool {
  tool?: StepTool | null | undefined
}

export interface ToolSides {
  before: StoredTool
  after: StoredTool
}

interface Row<Input> {
  label: string
  show: (input: Input) => string
}

/** What rows show differently of two versions of a step. One that is of another type, or calls nothing, shows nothing. */
export function rowsOfType<Input>(type: ToolType, inputOf: (stored: StoredTool) => Input) {
  return (rows: readonly Row<Input>[]) =>
    (sides: ToolSides): FieldChange[] =>
      changesOf(
        sides,
        rows.map(({ label, show }) => ({
          label,
          show: (stored: StoredTool) => (stored.tool?.type === type ? show(inputOf(stored)) : ''),
        })),
      )
}
