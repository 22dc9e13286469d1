import { CheckIcon, CopyIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'
import { Button, type ButtonProps } from './ui/button.tsx'
import { Hint } from './ui/tooltip.tsx'

/** How long the icon says that it was copied. */
const COPIED_MS = 2000

export interface CopyButtonProps extends Omit<ButtonProps, 'onCopy' | 'children'> {
  /** What to copy, or where it comes from. */
  text: string | (() => string | Promise<string>)
  /** What the button is called. */
  label?: string
  /** Shows the label beside the icon, where its container has room. */
  showLabel?: boolean
  onCopied?: () => void
}

/** Copies a text; the icon becomes a check for two seconds. */
export function CopyButton({ text, label = 'Copy', showLabel, onCopied, ...props }: CopyButtonProps) {
  const [copiedAt, setCopiedAt] = useState<number | null>(null)
  useEffect(() => {
    if (copiedAt === null) return
    const timer = setTimeout(() => setCopiedAt(null), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copiedAt])
  const copy = async () => {
    if (!(await copyText(typeof text === 'string' ? text : text()))) return
    setCopiedAt(Date.now())
    onCopied?.()
  }
  const copied = copiedAt !== null
  const name = copied ? 'Copied!' : label
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
      {copied ? <CheckIcon className="text-ok" /> : <CopyIcon />}
      {showLabel && <span className="@max-sm:sr-only">{name}</span>}
    </Button>
  )
  return showLabel ? button : <Hint text={name}>{button}</Hint>
}
