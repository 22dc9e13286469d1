import { cutText, estimateTokens, formatTextSize, tokenizeTemplate } from '@catenary/domain'
import { ChevronRightIcon } from 'lucide-react'
import { useDeferredValue, useId, useMemo } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '../../../components/ui/collapsible.tsx'
import { useAddress } from '../../../lib/address.ts'
import { cn } from '../../../lib/utils.ts'
import { hasValue, previewOf, type RunForm, sentText, type VariableField, withValues } from '../run-form.ts'

/** Characters that are drawn; of a longer text, only the length is shown. */
const SHOWN_MAX = 20_000

export interface SentPreviewProps {
  form: RunForm
  fields: readonly VariableField[]
}

export function SentPreview({ form, fields }: SentPreviewProps) {
  const [params, change] = useAddress()
  const id = useId()
  const isOpen = params.get('sent') === 'open'
  const toggle = (open: boolean) => change({ sent: open ? 'open' : null }, { replace: true })
  return (
    <Collapsible open={isOpen} onOpenChange={toggle}>
      <CollapsibleTrigger asChild>
        <Button variant="ghost" size="sm" className="-ml-2 px-2" id={id}>
          <ChevronRightIcon className={isOpen ? 'rotate-90' : ''} />
          Preview what is sent
        </Button>
      </CollapsibleTrigger>
      <CollapsibleContent className="pt-1.5">
        <SentText form={form} fields={fields} labelledBy={id} />
      </CollapsibleContent>
    </Collapsible>
  )
}

function SentText({ form, fields, labelledBy }: SentPreviewProps & { labelledBy: string }) {
  const inputs = useDeferredValue(useMemo(() => ({ form, fields }), [form, fields]))
  const { template, systemPrompt, messages, userInput } = inputs.form
  const filled = (source: string) => withValues({ source, fields: inputs.fields })
  const { pieces, left } = sentPieces({ template, fields: inputs.fields, max: SHOWN_MAX })
  const size = formatTextSize(estimateTokens(previewOf(inputs)))
  return (
    <section aria-labelledby={labelledBy} className="grid gap-1.5">
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
        tabIndex={0}
        className="prompt-text field-ring grid max-h-[50vh] gap-3 overflow-y-auto rounded-control border border-line bg-inset p-3 wrap-anywhere whitespace-pre-wrap"
      >
        {systemPrompt.trim() !== '' && <Part label="System prompt" text={filled(systemPrompt)} />}
        {messages.map(({ role, content }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a turn is known by its place alone.
          <Part key={index} label={role === 'user' ? 'User' : 'Assistant'} text={filled(content)} />
        ))}
        <p>
          {pieces.map((piece) => (
            <Piece key={piece.start} piece={piece} />
          ))}
          {left > 0 && (
            <span className="text-text-3"> … and {left.toLocaleString('en')} more characters</span>
          )}
        </p>
        {userInput.trim() !== '' && <Part label="Additional context" text={userInput} />}
      </div>
      <p className="text-xs text-text-3">{size}</p>
      <Gaps fields={inputs.fields} />
    </section>
  )
}

function Part({ label, text }: { label: string; text: string }) {
  const shown = cutText(text, SHOWN_MAX)
  return (
    <div>
      <p className="font-sans text-xs text-text-3">{label}</p>
      <p>{shown === text ? text : `${shown} …`}</p>
    </div>
  )
}

const TINTS = {
  value: 'bg-ref-soft text-ref',
  later: 'border border-dashed border-ref/50 text-ref',
  missing: 'bg-warn-soft text-warn',
}

function Piece({ piece: { kind, text } }: { piece: SentPiece }) {
  if (kind === 'text') return text
  return (
    <mark className={cn('rounded-[4px] box-decoration-clone px-0.5', TINTS[kind])}>
      {text}
      {kind === 'missing' && <span className="sr-only"> (no value)</span>}
    </mark>
  )
}

function Gaps({ fields }: { fields: readonly VariableField[] }) {
  const gaps = fields.filter((field) => !hasValue(field))
  const later = fields.filter((field) => hasValue(field) && field.value === '')
  if (gaps.length + later.length === 0) return null
  return (
    <ul className="grid gap-0.5 text-xs">
      {gaps.map(({ name, type, problem }) => (
        <li key={name} className="text-warn wrap-anywhere">
          $&lt;{name}&gt; stays as written: {problem ?? (type ? 'it has no value' : 'not in the library')}
        </li>
      ))}
      {later.map(({ name }) => (
        <li key={name} className="text-text-3 wrap-anywhere">
          $&lt;{name}&gt; is fetched when it runs
        </li>
      ))}
    </ul>
  )
}

interface SentPiece {
  start: number
  text: string
  /** later: the run itself fetches it; missing: the reference stays as it is written. */
  kind: 'text' | 'value' | 'later' | 'missing'
  name: string | null
}

export function sentPieces({
  template,
  fields,
  max,
}: {
  template: string
  fields: readonly VariableField[]
  max: number
}): { pieces: SentPiece[]; left: number } {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const pieces: SentPiece[] = []
  let room = max
  let left = 0
  for (const token of tokenizeTemplate(template)) {
    const piece = token.kind === 'text' ? null : pieceOf(byName.get(token.name))
    const text = piece?.text ?? token.raw
    const shown = cutText(text, room)
    room = shown === text ? room - shown.length : 0
    left += text.length - shown.length
    if (shown === '' && text !== '') continue
    const name = token.kind === 'text' ? null : token.name
    pieces.push({
      start: token.start,
      text: shown,
      kind: name === null ? 'text' : (piece?.kind ?? 'missing'),
      name,
    })
  }
  return { pieces, left }
}

function pieceOf(field: VariableField | undefined): { kind: 'value' | 'later'; text?: string } | null {
  if (!field || !hasValue(field)) return null
  return field.value === '' ? { kind: 'later' } : { kind: 'value', text: sentText(field) }
}
