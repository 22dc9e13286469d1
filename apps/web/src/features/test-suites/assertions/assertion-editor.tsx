import { ASSERT_SET, type AssertionResult } from '@catenary/contracts'
import { CheckIcon, MinusIcon, Trash2Icon, XIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { AddAssertion } from './add-assertion.tsx'
import { type AssertionDraft, newDraft, takesPath } from './assertion-draft.ts'
import { AssertionFields, NumberInput } from './assertion-fields.tsx'
import { hasOpposite, KIND_LABELS } from './kind-labels.ts'
import { PathField } from './path-field.tsx'

export interface AssertionEditorProps {
  index: number
  draft: AssertionDraft
  problem: string | undefined
  result: Pick<AssertionResult, 'passed' | 'reason' | 'results'> | undefined
  onChange: (draft: AssertionDraft) => void
  onRemove: () => void
}

export function AssertionEditor({ index, draft, problem, result, onChange, onRemove }: AssertionEditorProps) {
  const change = (changed: Partial<AssertionDraft>) => onChange({ ...draft, ...changed })
  return (
    <li
      aria-label={`Assertion ${index + 1}`}
      className="grid min-w-0 gap-2 rounded-control border border-line bg-surface p-2.5"
    >
      <div className="flex min-w-0 items-center gap-2">
        <Opposite draft={draft} onChange={change} />
        <More draft={draft} onChange={change} />
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label="Remove this assertion"
          onClick={onRemove}
          className="text-text-3"
        >
          <Trash2Icon />
        </Button>
      </div>
      {takesPath(draft.kind) && <PathField value={draft.path} onChange={(path) => change({ path })} />}
      <AssertionFields draft={draft} onChange={change} />
      {draft.kind === ASSERT_SET && <SetEditor draft={draft} result={result} onChange={change} />}
      {problem && (
        <p role="alert" className="text-xs text-danger">
          {problem}
        </p>
      )}
      {result && <Result result={result} />}
    </li>
  )
}

interface PartProps {
  draft: AssertionDraft
  onChange: (change: Partial<AssertionDraft>) => void
}

function Opposite({ draft, onChange }: PartProps) {
  const [is, isNot] = KIND_LABELS[draft.kind]
  if (!hasOpposite(draft.kind))
    return <span className="min-w-0 flex-1 truncate text-sm font-medium">{is}</span>
  return (
    <ChoiceSelect
      choices={[
        { value: 'is', label: is },
        { value: 'not', label: isNot },
      ]}
      value={draft.isNot ? 'not' : 'is'}
      onChange={(value) => onChange({ isNot: value === 'not' })}
      trigger={{ 'aria-label': 'Condition', className: 'w-auto min-w-0 max-w-full font-medium' }}
    />
  )
}

function More({ draft, onChange }: PartProps) {
  const [isOpen, setIsOpen] = useState(draft.weight !== '' || draft.metric !== '')
  if (!isOpen) {
    return (
      <Button variant="ghost" size="sm" className="ml-auto text-text-3" onClick={() => setIsOpen(true)}>
        Weight
      </Button>
    )
  }
  return (
    <div className="ml-auto flex items-center gap-1.5 text-sm text-text-3">
      <span className="max-sm:hidden">Weight</span>
      <NumberInput
        label="Weight"
        placeholder="1"
        value={draft.weight}
        onChange={(weight) => onChange({ weight })}
      />
      <Input
        aria-label="Metric"
        autoComplete="off"
        placeholder="metric"
        value={draft.metric}
        onChange={(event) => onChange({ metric: event.target.value })}
        className="w-28 max-sm:hidden"
      />
    </div>
  )
}

function SetEditor({
  draft,
  result,
  onChange,
}: PartProps & { result: Pick<AssertionResult, 'results'> | undefined }) {
  const replace = (key: number, next: AssertionDraft[]) =>
    onChange({ assert: draft.assert.flatMap((each) => (each.key === key ? next : [each])) })
  return (
    <div className="grid gap-2 border-l-2 border-line pl-2.5">
      <div className="flex items-center gap-2 text-sm text-text-2">
        Passing score
        <NumberInput
          label="Score of the set"
          placeholder="all"
          value={draft.threshold}
          onChange={(threshold) => onChange({ threshold })}
        />
      </div>
      <ul aria-label="Assertions of the set" className="grid gap-2">
        {draft.assert.map((each, index) => (
          <AssertionEditor
            key={each.key}
            index={index}
            draft={each}
            problem={undefined}
            result={result?.results?.[index]}
            onChange={(changed) => replace(each.key, [changed])}
            onRemove={() => replace(each.key, [])}
          />
        ))}
      </ul>
      <AddAssertion inSet onAdd={(kind) => onChange({ assert: [...draft.assert, newDraft(kind)] })} />
    </div>
  )
}

const LOOKS = {
  passed: { Icon: CheckIcon, className: 'text-ok', word: 'Passes' },
  failed: { Icon: XIcon, className: 'text-danger', word: 'Fails' },
  left: { Icon: MinusIcon, className: 'text-text-3', word: 'Not run' },
} as const

function Result({ result: { passed, reason } }: { result: Pick<AssertionResult, 'passed' | 'reason'> }) {
  const { Icon, className, word } = LOOKS[passed === null ? 'left' : passed ? 'passed' : 'failed']
  return (
    <p className={`flex items-start gap-1.5 text-sm wrap-anywhere ${className}`}>
      <Icon className="mt-0.5 size-4 shrink-0" />
      <span>
        <span className="sr-only">{word}: </span>
        {reason}
      </span>
    </p>
  )
}
