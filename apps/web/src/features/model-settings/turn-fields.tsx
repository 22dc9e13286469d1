import { TURNS_MAX } from '@catenary/contracts'
import { PlusIcon } from 'lucide-react'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { FocusTarget } from '../../components/focus-target.tsx'
import { PromptEditor } from '../../components/prompt-editor/prompt-editor.tsx'
import type { PromptEditorProps } from '../../components/prompt-editor/prompt-editor-props.ts'
import { RemoveButton } from '../../components/remove-button.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../components/ui/segmented-control.tsx'
import { newId } from '../../lib/new-id.ts'
import { PlaceActions } from './place-actions.tsx'
import type { SettingsForm, TurnInput } from './settings-value.ts'

type Templates = Pick<PromptEditorProps, 'variables' | 'outputs' | 'onCreateVariable'>

export interface TurnFieldsProps {
  form: SettingsForm
  templates: Templates
  /** Where the system text has a field of its own it is not asked for here. */
  hasSystem?: boolean
}

export function TurnFields({ form, templates, hasSystem = true }: TurnFieldsProps) {
  const refused = form.formState.errors.messages?.message
  const [isAdded, setIsAdded] = useState(false)
  return (
    <Controller
      control={form.control}
      name="messages"
      render={({ field: { ref, value: turns, onChange, onBlur } }) => (
        <FocusTarget ref={ref} selector={`[data-turn="${emptyOf(turns) ?? 0}"] [role=textbox]`}>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
            {hasSystem && (
              <SystemField
                form={form}
                templates={templates}
                isAdded={isAdded}
                onRemove={() => setIsAdded(false)}
              />
            )}
            {turns.length > 0 && (
              <ol aria-label="Turns" className="grid grid-cols-[minmax(0,1fr)] gap-3">
                {turns.map((turn, index) => (
                  <li key={turn.id} data-turn={index}>
                    <TurnField
                      turn={turn}
                      index={index}
                      count={turns.length}
                      templates={templates}
                      error={index === emptyOf(turns) ? refused : undefined}
                      onBlur={onBlur}
                      onChange={(change) => onChange(turns.with(index, { ...turn, ...change }))}
                      onMove={(to) => onChange(turns.toSpliced(index, 1).toSpliced(to, 0, turn))}
                      onRemove={() => onChange(turns.toSpliced(index, 1))}
                    />
                  </li>
                ))}
              </ol>
            )}
            {refused && emptyOf(turns) === null && (
              <p role="alert" className="text-xs text-danger wrap-anywhere">
                {refused}
              </p>
            )}
            <div className="-ml-1.5 flex flex-wrap gap-1">
              {hasSystem && <AddSystemButton form={form} isAdded={isAdded} onAdd={() => setIsAdded(true)} />}
              <Button
                variant="ghost"
                size="sm"
                disabled={turns.length >= TURNS_MAX}
                onClick={() => onChange([...turns, nextTurn(turns)])}
                className="px-1.5"
              >
                <PlusIcon />
                Add turn
              </Button>
            </div>
          </div>
        </FocusTarget>
      )}
    />
  )
}

function emptyOf(turns: readonly TurnInput[]): number | null {
  const index = turns.findIndex(({ content }) => content.trim() === '')
  return index === -1 ? null : index
}

function nextTurn(turns: readonly TurnInput[]): TurnInput {
  const role = turns.at(-1)?.role === 'user' ? 'assistant' : 'user'
  return { id: newId(), role, content: '' }
}

interface SystemProps {
  form: SettingsForm
  isAdded: boolean
}

function AddSystemButton({ form, isAdded, onAdd }: SystemProps & { onAdd: () => void }) {
  const text = form.watch('systemPrompt')
  if (isAdded || text !== '') return null
  return (
    <Button variant="ghost" size="sm" onClick={onAdd} className="px-1.5">
      <PlusIcon />
      Add system text
    </Button>
  )
}

function SystemField({
  form,
  templates,
  isAdded,
  onRemove,
}: SystemProps & { templates: Templates; onRemove: () => void }) {
  return (
    <Controller
      control={form.control}
      name="systemPrompt"
      render={({ field: { ref, value, onChange, onBlur } }) =>
        isAdded || value !== '' ? (
          <Field
            label="System"
            error={form.formState.errors.systemPrompt?.message}
            action={
              <RemoveButton
                label="Remove system text"
                onClick={() => {
                  onChange('')
                  onRemove()
                }}
              />
            }
          >
            <FocusTarget ref={ref} selector="[role=textbox]">
              <PromptEditor
                label="System"
                value={value}
                onChange={onChange}
                onBlur={onBlur}
                {...templates}
                className={SMALL}
              />
            </FocusTarget>
          </Field>
        ) : (
          <span hidden />
        )
      }
    />
  )
}

const SMALL = 'min-h-16 [--prompt-editor-max:240px]'

interface TurnFieldProps {
  turn: TurnInput
  index: number
  count: number
  templates: Templates
  error: string | undefined
  onBlur: () => void
  onChange: (change: Partial<TurnInput>) => void
  onMove: (to: number) => void
  onRemove: () => void
}

function TurnField({
  turn,
  index,
  count,
  templates,
  error,
  onBlur,
  onChange,
  onMove,
  onRemove,
}: TurnFieldProps) {
  const name = `turn ${index + 1}`
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-xs font-medium text-text-2">Turn {index + 1}</span>
        <SegmentedControl
          aria-label={`Role of ${name}`}
          value={turn.role}
          onValueChange={(role) => onChange({ role })}
        >
          <SegmentedControlItem value="user">User</SegmentedControlItem>
          <SegmentedControlItem value="assistant">Assistant</SegmentedControlItem>
        </SegmentedControl>
        <div className="ml-auto">
          <PlaceActions name={name} index={index} count={count} onMove={onMove} onRemove={onRemove} />
        </div>
      </div>
      <Field label={`Turn ${index + 1}`} hideLabel error={error}>
        <PromptEditor
          label={`Turn ${index + 1}`}
          value={turn.content}
          onChange={(content) => onChange({ content })}
          onBlur={onBlur}
          {...templates}
          className={SMALL}
        />
      </Field>
    </div>
  )
}
