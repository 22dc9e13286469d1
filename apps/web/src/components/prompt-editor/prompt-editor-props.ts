import type { EditorOutput, EditorVariable } from './prompt-editor-completion.ts'

export interface PromptEditorProps {
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  /** What it is called for assistive technology. */
  label: string
  /** Known names, with a preview of what each holds. */
  variables: readonly EditorVariable[]
  /** What `{{name}}` may take; given only in chains, elsewhere double braces are plain text. */
  outputs?: readonly EditorOutput[]
  /** Offers 'Create variable “…”' for a name that is not known. */
  onCreateVariable?: (name: string) => void
  /** The earlier text: lines that it did not have are tinted, and counted. */
  original?: string | undefined
  readOnly?: boolean
  className?: string
}
