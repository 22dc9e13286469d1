import { CheckIcon, CopyIcon } from 'lucide-react'
import { useRef } from 'react'
import { useAriaKeys } from '../../lib/keyboard/shortcuts.ts'
import { useShortcut } from '../../lib/keyboard/use-shortcut.ts'
import { ShortcutKeys } from '../shortcut-keys.tsx'
import { Button, type ButtonProps } from '../ui/button.tsx'
import { Hint } from '../ui/tooltip.tsx'
import { type CopiedText, useCopied } from './use-copied.ts'

export interface CopyButtonProps extends Omit<ButtonProps, 'onCopy'> {
  text: CopiedText
  label?: string
  showLabel?: boolean
  onCopied?: () => void
}

export function CopyButton({
  text,
  label = 'Copy',
  showLabel,
  onCopied,
  children,
  ...props
}: CopyButtonProps) {
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
      {children}
    </Button>
  )
  return showLabel ? button : <Hint text={name}>{button}</Hint>
}

/** Of the answer in view, which a key copies too. */
export function CopyAnswerButton({ text }: { text: string }) {
  const button = useRef<HTMLButtonElement>(null)
  const keys = useAriaKeys('copyAnswer')
  useShortcut({ id: 'copyAnswer', within: button, onPress: () => button.current?.click() })
  return (
    <CopyButton ref={button} text={text} disabled={text === ''} showLabel aria-keyshortcuts={keys}>
      <ShortcutKeys id="copyAnswer" className="max-md:hidden" />
    </CopyButton>
  )
}
