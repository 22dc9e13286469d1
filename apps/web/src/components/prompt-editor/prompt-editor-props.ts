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
  readOnly?: boolean
  className?: string
}
