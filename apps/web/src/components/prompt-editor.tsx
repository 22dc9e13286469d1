import { estimateTokens, formatTextSize } from '@catenary/domain'
import { lazy, Suspense, useDeferredValue } from 'react'
import { cn } from '../lib/utils.ts'
import type { EditorVariable } from './prompt-editor-completion.ts'
import { useFieldControl } from './ui/field.tsx'

const PromptEditorView = lazy(() => import('./prompt-editor-view.tsx'))

export interface PromptEditorProps {
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  /** What it is called for assistive technology. */
  label: string
  /** Known names, with a peek at what each holds. */
  variables: readonly EditorVariable[]
  /** Offers 'Create variable “…”' for a name that is not known. */
  onCreateVariable?: (name: string) => void
  /** Ctrl/⌘ Enter; without it the keys reach the form around. */
  onSubmit?: () => void
  readOnly?: boolean
  className?: string
}

/** The one editor of prompt text: completes, tints and checks `$<name>`, and tells the text's size. */
export function PromptEditor({ className, ...props }: PromptEditorProps) {
  const control = useFieldControl()
  const size = formatTextSize(estimateTokens(useDeferredValue(props.value)))
  return (
    <div className="grid gap-1">
      <div
        className={cn(
          'field-ring relative min-h-[168px] rounded-control border border-line bg-surface transition-[border-color,box-shadow] hover:border-line-strong',
          control['aria-invalid'] && 'border-danger!',
          className,
        )}
      >
        <Suspense fallback={<p className="prompt-text p-3 whitespace-pre-wrap text-text-2">{props.value}</p>}>
          <PromptEditorView
            {...props}
            id={control.id}
            describedBy={control['aria-describedby']}
            invalid={control['aria-invalid'] === true}
          />
        </Suspense>
      </div>
      <p className="text-xs text-text-3">{size}</p>
    </div>
  )
}
