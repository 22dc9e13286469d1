import { cn } from '../../lib/utils.ts'

export interface PlainTextProps {
  text: string
  isWriting?: boolean
}

export function PlainText({ text, isWriting = false }: PlainTextProps) {
  return (
    <>
      <p className="mb-2 text-xs text-text-3">Too complex to format, so it is shown as plain text.</p>
      <SourceText text={text} isWriting={isWriting} />
    </>
  )
}

export function WaitingText(props: PlainTextProps) {
  return <SourceText {...props} className="shown-late" />
}

export function SourceText({ text, isWriting = false, className }: PlainTextProps & { className?: string }) {
  return (
    <pre dir="auto" className={cn('prompt-text wrap-anywhere whitespace-pre-wrap text-text', className)}>
      {text}
      {isWriting && <span className="writing-cursor" />}
    </pre>
  )
}
