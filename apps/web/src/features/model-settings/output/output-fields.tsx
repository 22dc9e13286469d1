import { type ClipboardEvent, useCallback, useId, useLayoutEffect, useRef, useState } from 'react'
import { Controller, type FieldValues } from 'react-hook-form'
import { FocusTarget } from '../../../components/focus-target.tsx'
import type { FormFieldProps } from '../../../components/forms/form-field.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Label } from '../../../components/ui/label.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../components/ui/segmented-control.tsx'
import { Switch } from '../../../components/ui/switch.tsx'
import type { OutputInput } from './output-value.ts'
import { SchemaFieldTable } from './schema-field-list.tsx'
import { isPastedSchema } from './schema-text.ts'
import { SchemaTextField } from './schema-text-field.tsx'
import { formValueOf, readView, type SchemaView, textOfRows, viewOf, viewOfValue } from './schema-view.ts'

interface OutputTexts {
  /** Default: Output. */
  title?: string
  /** Below the fields of a schema. */
  hint?: string
}

export interface FormOutputProps<Values extends FieldValues, Saved>
  extends FormFieldProps<Values, Saved, OutputInput>,
    OutputTexts {
  error: string | undefined
}

export function FormOutput<Values extends FieldValues, Saved>({
  control,
  name,
  ...texts
}: FormOutputProps<Values, Saved>) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { ref, value, onChange, onBlur } }) => (
        <FocusTarget ref={ref} selector="[aria-invalid], [data-add-field]">
          <OutputFields value={value} onChange={onChange} onBlur={onBlur} {...texts} />
        </FocusTarget>
      )}
    />
  )
}

export interface OutputFieldsProps extends OutputTexts {
  value: OutputInput
  onChange: (value: OutputInput) => void
  onBlur?: () => void
  error?: string | undefined
}

export function OutputFields({ value, onChange, onBlur, error, title = 'Output', hint }: OutputFieldsProps) {
  const { view, show } = useSchemaView({ value, onChange })
  const [isForPaste, setIsForPaste] = useState(false)
  const [replaced, setReplaced] = useState<SchemaView | null>(null)
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    if (value.type === 'text' || view.as === 'json' || !isPastedSchema(text)) return
    event.preventDefault()
    setReplaced(view)
    show(() => viewOf(text))
  }
  return (
    <section
      aria-label={title}
      className="@container grid gap-2"
      onPaste={paste}
      onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || onBlur?.()}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="text-xs font-medium tracking-normal text-text-2">{title}</h3>
        <SegmentedControl
          aria-label="Answer format"
          value={value.type}
          onValueChange={(type) => (type === 'text' ? onChange({ type }) : show((view) => view))}
        >
          <SegmentedControlItem value="text">Text</SegmentedControlItem>
          <SegmentedControlItem value="json">JSON by schema</SegmentedControlItem>
        </SegmentedControl>
        {value.type === 'json' && <ViewSwitch view={view} show={show} />}
      </div>
      {value.type === 'json' && view.as === 'json' && (
        <SchemaTextField
          text={view.text}
          read={readView(view.text)}
          isForPaste={isForPaste}
          onChange={(text) => show(() => ({ as: 'json', text }))}
        />
      )}
      {value.type === 'json' && view.as === 'fields' && (
        <SchemaFieldTable
          rows={view.rows}
          isTried={error !== undefined}
          change={(update) =>
            show((view) => ({ as: 'fields', rows: update(view.as === 'fields' ? view.rows : []) }))
          }
          footer={
            <Button
              variant="link"
              className="text-xs font-normal text-text-3"
              disabled={otherView(view) === null}
              onClick={() => {
                setIsForPaste(true)
                show((view) => otherView(view) ?? view)
              }}
            >
              or paste a JSON schema
            </Button>
          }
        />
      )}
      {value.type === 'json' && hint !== undefined && <p className="text-xs text-text-3">{hint}</p>}
      {value.type === 'json' && replaced && (
        <p role="status" className="flex flex-wrap items-center gap-x-2 text-xs text-text-3">
          The pasted schema replaced the previous one.
          <Button
            variant="link"
            className="text-xs"
            onClick={() => {
              show(() => replaced)
              setReplaced(null)
            }}
          >
            Undo
          </Button>
        </p>
      )}
      {error !== undefined && (
        <p role="alert" className="text-xs wrap-anywhere text-danger">
          {error}
        </p>
      )}
    </section>
  )
}

function ViewSwitch({ view, show }: { view: SchemaView; show: ShowView }) {
  const id = useId()
  const other = otherView(view)
  return (
    <>
      {view.as === 'fields' && <p className="text-xs text-text-3">{countOf(view.rows.length)}</p>}
      <div className="ml-auto flex items-center gap-2 pointer-coarse:min-h-11">
        <Label htmlFor={id} className="text-sm font-normal text-text-2">
          Edit as JSON
        </Label>
        <Switch
          id={id}
          checked={view.as === 'json'}
          disabled={other === null}
          onCheckedChange={() => other && show(() => other)}
        />
      </div>
    </>
  )
}

/** Fields as JSON, or the other way; null where something would be lost. */
function otherView(view: SchemaView): SchemaView | null {
  if (view.as === 'fields') {
    const text = textOfRows(view.rows)
    return text === null ? null : { as: 'json', text }
  }
  const { rows } = readView(view.text)
  return rows && { as: 'fields', rows }
}

type ShowView = (update: (view: SchemaView) => SchemaView) => void

/** The schema being edited; it follows a value that changes elsewhere, as when a draft is dropped. */
function useSchemaView({ value, onChange }: Pick<OutputFieldsProps, 'value' | 'onChange'>) {
  const [view, setView] = useState(() => viewOfValue(value))
  const [seen, setSeen] = useState(() => JSON.stringify(value))
  const now = JSON.stringify(value)
  if (seen !== now) {
    setSeen(now)
    const isOwn = value.type === 'text' || now === JSON.stringify(formValueOf(view))
    if (!isOwn) setView(viewOfValue(value))
  }
  const latest = useRef({ view, onChange })
  useLayoutEffect(() => {
    latest.current = { view, onChange }
  }, [view, onChange])
  const show: ShowView = useCallback((update) => {
    const next = update(latest.current.view)
    latest.current.view = next
    setView(next)
    latest.current.onChange(formValueOf(next))
  }, [])
  return { view, show }
}

function countOf(fields: number): string {
  return fields === 0 ? 'no fields yet' : `${fields} ${fields === 1 ? 'field' : 'fields'}`
}
