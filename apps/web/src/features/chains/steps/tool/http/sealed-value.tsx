import { LockIcon, LockOpenIcon } from 'lucide-react'
import { Button } from '../../../../../components/ui/button.tsx'
import { useFieldControl } from '../../../../../components/ui/field.tsx'
import { Input } from '../../../../../components/ui/input.tsx'

interface SealButtonProps {
  /** As in ‘header 2’. */
  name: string
  isSealed: boolean
  onChange: (isSealed: boolean) => void
  className?: string
}

/** Whether anybody reads a value. */
export function SealButton({ name, isSealed, onChange, className }: SealButtonProps) {
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={`Sealed: ${name}`}
      aria-pressed={isSealed}
      title={isSealed ? 'Sealed: nobody reads the value' : 'Seal it: nobody reads the value any more'}
      onClick={() => onChange(!isSealed)}
      className={className}
    >
      {isSealed ? <LockIcon className="text-accent-text" /> : <LockOpenIcon className="text-text-3" />}
    </Button>
  )
}

interface SealedValueProps {
  /** What stands for the value. */
  shown: string
  hasValue: boolean
  /** Whose the chain is; null: the person’s own. */
  owner: string | null
  value: string
  isReplaced: boolean
  name: string
  placeholder: string
  onChange: (value: string) => void
  onReplace: () => void
}

/** A value that nobody reads: its owner sets another in its place. */
export function SealedValue({ shown, hasValue, owner, value, isReplaced, name, ...props }: SealedValueProps) {
  const { placeholder, onChange, onReplace } = props
  const field = useFieldControl()
  if (owner !== null || (hasValue && !isReplaced))
    return (
      <div className="flex min-h-9 items-center gap-2 rounded-control border border-line bg-inset px-2.5 text-sm text-text-2">
        <LockIcon className="size-3.5 shrink-0" />
        <span {...field} className="min-w-0 flex-1 truncate">
          {hasValue ? shown : `No value: ${owner} can set one`}
        </span>
        {owner === null && (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Replace ${name}`}
            onClick={onReplace}
            className="-mr-1.5 h-6 px-1.5 pointer-coarse:h-11"
          >
            Replace
          </Button>
        )}
      </div>
    )
  return (
    <Input
      type="password"
      autoComplete="new-password"
      spellCheck={false}
      placeholder={placeholder}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      className="font-mono text-xs"
    />
  )
}
