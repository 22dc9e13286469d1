import { cutText, type TemplateSyntax, tokenizeTemplate } from '@catenary/domain'
import { cn } from '../lib/utils.ts'

export interface TemplateTextProps {
  text: string
  lines?: 1 | 3
  outputs?: boolean
  jsonOutputs?: TemplateSyntax['jsonOutputs']
  className?: string
}

/** Characters that can be seen in the clipped lines; the rest of a long text is not drawn. */
const CLIPPED_LENGTH = { 1: 300, 3: 600 }

export function TemplateText({ text, lines, outputs = false, jsonOutputs, className }: TemplateTextProps) {
  const shown = lines ? cutText(text, CLIPPED_LENGTH[lines]) : text
  return (
    <p
      dir="auto"
      className={cn(
        'prompt-text text-text-2 wrap-anywhere whitespace-pre-wrap',
        lines === 1 && 'line-clamp-1',
        lines === 3 && 'line-clamp-3',
        className,
      )}
    >
      <TemplateTokens text={shown} syntax={{ outputs, jsonOutputs }} />
    </p>
  )
}

/** A text with its references tinted, within another's line. */
export function TemplateTokens({ text, syntax }: { text: string; syntax: TemplateSyntax }) {
  return tokenizeTemplate(text, syntax).map((token) =>
    token.kind === 'text' ? (
      token.raw
    ) : (
      <span
        key={token.start}
        className={cn(
          'rounded-[4px] box-decoration-clone px-1 py-px',
          token.kind === 'variable' ? 'bg-ref-soft text-ref' : 'bg-out-soft text-out',
        )}
      >
        {token.raw}
      </span>
    ),
  )
}
