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
  /** A field of one line, such as an address: Enter submits its form, and lines that are pasted become one. */
  isOneLine?: boolean
  /** False of a text that no model reads: its tokens are of no interest. */
  isForModel?: boolean
  placeholder?: string
  className?: string
}
