import { CheckIcon, CopyIcon } from 'lucide-react'
import { Button, type ButtonProps } from '../ui/button.tsx'
import { Hint } from '../ui/tooltip.tsx'
import { type CopiedText, useCopied } from './use-copied.ts'

export interface CopyButtonProps extends Omit<ButtonProps, 'onCopy' | 'children'> {
  text: CopiedText
  label?: string
  showLabel?: boolean
  onCopied?: () => void
}

export function CopyButton({ text, label = 'Copy', showLabel, onCopied, ...props }: CopyButtonProps) {
  const { isCopied, copy } = useCopied({ text, onCopied })
  const name = isCopied ? 'Copied!' : label
  const button = (
    <Button
      variant="ghost"
      size={showLabel ? 'sm' : 'icon-sm'}
      aria-label={name}
      {...props}
      onClick={(event) => {
        event.stopPropagation()
        void copy()
      }}
    >
      {isCopied ? <CheckIcon className="text-ok" /> : <CopyIcon />}
      {showLabel && <span className="@max-sm:sr-only">{name}</span>}
    </Button>
  )
  return showLabel ? button : <Hint text={name}>{button}</Hint>
}
