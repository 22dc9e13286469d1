import { ASSERTION_KINDS, DEFAULT_DISTANCE } from '@catenary/contracts'
import { JUDGE_PROMPTS } from '@catenary/domain'
import { useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { NumberInput as NumberField } from '../../../components/ui/number-input.tsx'
import { Textarea } from '../../../components/ui/textarea.tsx'
import type { AssertionDraft } from './assertion-draft.ts'

export interface AssertionFieldsProps {
  draft: AssertionDraft
  onChange: (change: Partial<AssertionDraft>) => void
}

const REASONS = ['stop', 'length', 'content_filter', 'tool_calls'].map((value) => ({ value, label: value }))

export function AssertionFields(props: AssertionFieldsProps) {
  const { draft, onChange } = props
  if (draft.kind === 'assert-set') return null
  switch (ASSERTION_KINDS[draft.kind].field) {
    case 'words':
      return <Text {...props} label="One per line" rows={2} />
    case 'json':
      return <Text {...props} label="The whole answer" rows={1} />
    case 'schema':
      return <Text {...props} label="JSON schema" placeholder="None: any JSON passes" rows={2} mono />
    case 'count':
      return (
        <div className="flex items-center gap-2">
          <NumberInput
            label="Minimum words"
            placeholder="any"
            value={draft.min}
            onChange={(min) => onChange({ min })}
          />
          <span className="text-sm text-text-3">to</span>
          <NumberInput
            label="Maximum words"
            placeholder="any"
            value={draft.max}
            onChange={(max) => onChange({ max })}
          />
          <span className="text-sm text-text-3">words</span>
        </div>
      )
    case 'limit':
      return (
        <div className="flex items-center gap-2">
          <NumberInput
            label={draft.kind === 'latency' ? 'Milliseconds' : 'US dollars'}
            value={draft.threshold}
            onChange={(threshold) => onChange({ threshold })}
          />
          <span className="text-sm text-text-3">{draft.kind === 'latency' ? 'ms' : 'US dollars'}</span>
        </div>
      )
    case 'distance':
      return (
        <div className="grid gap-2">
          <Text {...props} label="Text to compare with" rows={1} />
          <div className="flex items-center gap-2">
            <NumberInput
              label="Maximum changed characters"
              placeholder={String(DEFAULT_DISTANCE)}
              value={draft.threshold}
              onChange={(threshold) => onChange({ threshold })}
            />
            <span className="text-sm text-text-3">changed characters at most</span>
          </div>
        </div>
      )
    case 'reason':
      return (
        <ChoiceSelect
          choices={REASONS}
          value={draft.value}
          onChange={(value) => onChange({ value })}
          placeholder="Choose"
          trigger={{ 'aria-label': 'Finish reason', className: 'max-w-52' }}
        />
      )
    case 'rubric':
      return <Rubric {...props} kind={draft.kind as keyof typeof JUDGE_PROMPTS} />
    default:
      return <Text {...props} label="Text" rows={1} mono={draft.kind === 'regex'} />
  }
}

interface TextProps extends AssertionFieldsProps {
  label: string
  rows: number
  placeholder?: string
  mono?: boolean
}

function Text({ draft, onChange, label, mono, ...props }: TextProps) {
  return (
    <Textarea
      aria-label={label}
      value={draft.value}
      onChange={(event) => onChange({ value: event.target.value })}
      className={`max-h-48 min-h-8 pointer-coarse:min-h-11 ${mono ? 'font-mono text-xs' : ''}`}
      {...props}
    />
  )
}

interface NumberInputProps {
  label: string
  value: string
  placeholder?: string
  onChange: (value: string) => void
}

export function NumberInput({ label, value, placeholder, onChange }: NumberInputProps) {
  return (
    <NumberField
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="w-24 tabular-nums"
    />
  )
}

const RUBRIC_HINTS: Record<keyof typeof JUDGE_PROMPTS, string> = {
  'llm-rubric': 'Answers in a warm tone and promises nothing that is not in the notes.',
  factuality: 'Paris is the capital of France.',
  'select-best': 'Chooses the answer that is the clearest to a newcomer.',
}

function Rubric({ draft, onChange, kind }: AssertionFieldsProps & { kind: keyof typeof JUDGE_PROMPTS }) {
  const [isOpen, setIsOpen] = useState(draft.rubricPrompt !== '')
  return (
    <div className="grid gap-2">
      <Text draft={draft} onChange={onChange} label="Criteria" placeholder={RUBRIC_HINTS[kind]} rows={2} />
      {kind === 'llm-rubric' && (
        <div className="flex items-center gap-2">
          <NumberInput
            label="Minimum judge score"
            placeholder="any"
            value={draft.threshold}
            onChange={(threshold) => onChange({ threshold })}
          />
          <span className="text-sm text-text-3">or more, as scored by the judge</span>
        </div>
      )}
      {isOpen ? (
        <Field
          label="Judge prompt"
          action={
            draft.rubricPrompt !== '' && (
              <Button variant="ghost" size="sm" onClick={() => onChange({ rubricPrompt: '' })}>
                Reset to default
              </Button>
            )
          }
        >
          <Textarea
            value={draft.rubricPrompt || JUDGE_PROMPTS[kind]}
            onChange={(event) => onChange({ rubricPrompt: event.target.value })}
            className="max-h-60 font-mono text-xs"
          />
        </Field>
      ) : (
        <Button variant="ghost" size="sm" className="justify-self-start" onClick={() => setIsOpen(true)}>
          Show judge prompt
        </Button>
      )}
    </div>
  )
}
