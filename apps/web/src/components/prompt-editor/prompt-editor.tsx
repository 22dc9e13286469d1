import { describeCacheGain, estimateTokens, formatTextSize } from '@catenary/domain'
import { Suspense, useDeferredValue } from 'react'
import { cn } from '../../lib/utils.ts'
import { part } from '../part.tsx'
import { useFieldControl } from '../ui/field.tsx'
import type { PromptEditorProps } from './prompt-editor-props.ts'

const PromptEditorView = part(() => import('./prompt-editor-view.tsx'))
const ChangedLines = part(() => import('./prompt-editor-changed-lines.tsx'), { isSilent: true })

export function PromptEditor({ className, ...props }: PromptEditorProps) {
  const control = useFieldControl()
  const text = useDeferredValue(props.value)
  const size = formatTextSize(estimateTokens(text))
  const hint = props.readOnly ? '' : describeCacheGain(text, { outputs: props.outputs !== undefined })
  return (
    <div className="grid gap-1">
      <div
        className={cn(
          'field-ring relative min-h-[168px] rounded-control border border-line-strong bg-surface transition-[border-color,box-shadow] hover:border-text-3',
          control['aria-invalid'] && 'border-danger!',
          className,
        )}
      >
        <Suspense
          fallback={
            <p dir="auto" className="prompt-text p-3 whitespace-pre-wrap text-text-2">
              {props.value}
            </p>
          }
        >
          <PromptEditorView
            {...props}
            id={control.id}
            describedBy={control['aria-describedby']}
            invalid={control['aria-invalid'] === true}
          />
        </Suspense>
      </div>
      <p className="text-xs text-text-3">
        {props.original !== undefined && (
          <Suspense>
            <ChangedLines before={props.original} after={props.value} />
          </Suspense>
        )}
        {size}
      </p>
      {hint && <p className="text-xs text-text-3 wrap-anywhere">{hint}</p>}
    </div>
  )
}
