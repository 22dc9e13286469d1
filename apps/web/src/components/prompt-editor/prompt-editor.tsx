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
  const { isOneLine = false, isForModel = !isOneLine } = props
  const isAdvised = isForModel && !props.readOnly
  const hint = isAdvised ? describeCacheGain(text, { outputs: props.outputs !== undefined }) : ''
  return (
    <div className="grid gap-1">
      <div
        className={cn(
          'field-ring relative rounded-control border border-line-strong bg-surface transition-[border-color,box-shadow] hover:border-text-3',
          !isOneLine && 'min-h-[168px]',
          control['aria-invalid'] && 'border-danger!',
          className,
        )}
      >
        <Suspense
          fallback={
            <p
              dir="auto"
              className={cn(
                'prompt-text whitespace-pre-wrap wrap-anywhere text-text-2',
                isOneLine ? 'px-2.5 py-[5px] leading-5 pointer-coarse:py-3' : 'p-3',
              )}
            >
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
      {isForModel && (
        <p className="text-xs text-text-3">
          {props.original !== undefined && (
            <Suspense>
              <ChangedLines before={props.original} after={props.value} />
            </Suspense>
          )}
          {size}
        </p>
      )}
      {hint && <p className="text-xs text-text-3 wrap-anywhere">{hint}</p>}
    </div>
  )
}
