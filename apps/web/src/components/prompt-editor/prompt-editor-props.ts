import type { EditorOutput, EditorVariable } from './prompt-editor-completion.ts'

export interface PromptEditorProps {
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  label: string
  variables: readonly EditorVariable[]
  outputs?: readonly EditorOutput[]
  onCreateVariable?: (name: string) => void
  original?: string | undefined
  /** The variable whose value is worked on beside it. */
  ringed?: string | null
  readOnly?: boolean
  className?: string
}
