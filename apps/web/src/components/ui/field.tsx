import { createContext, type ReactNode, useContext, useId } from 'react'
import { cn } from '../../lib/utils.ts'
import { Label } from './label.tsx'

interface FieldControl {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

const FieldContext = createContext<FieldControl | null>(null)

export function useFieldControl(): Partial<FieldControl> {
  return useContext(FieldContext) ?? {}
}

export interface FieldProps {
  label: ReactNode
  hideLabel?: boolean
  action?: ReactNode
  hint?: ReactNode
  error?: string | undefined
  errorOf?: string | undefined
  className?: string
  children: ReactNode
}

/** A label, its control, a hint and an error; kit controls inside pick up their attributes themselves. */
export function Field({ label, hideLabel, action, hint, error, errorOf, className, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(' ')
  return (
    <FieldContext
      value={{ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined }}
    >
      <div className={cn('grid grid-cols-[minmax(0,1fr)] gap-1.5', className)}>
        <div className={cn('flex items-baseline justify-between gap-3', hideLabel && !action && 'sr-only')}>
          <Label htmlFor={id} className={cn(hideLabel && 'sr-only')}>
            {label}
          </Label>
          {/* A control beside the label has a name of its own. */}
          {action && <FieldContext value={null}>{action}</FieldContext>}
        </div>
        {children}
        {hint && (
          <p id={hintId} className="text-xs text-text-3">
            {hint}
          </p>
        )}
        {error && (
          <p id={errorId} role="alert" className="text-xs text-danger wrap-anywhere">
            {errorOf ? <span className="mr-2">{error}</span> : error}
            {errorOf && <strong className="font-medium">{errorOf}</strong>}
          </p>
        )}
      </div>
    </FieldContext>
  )
}
